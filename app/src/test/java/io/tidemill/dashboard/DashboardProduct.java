package io.tidemill.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.app.Product;
import io.tidemill.json.Json;
import io.tidemill.servers.AmqpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The product as people run it: a gateway with most roles, a worker in a process of its own, an
/// AMQP broker of somebody else's, keys for three people, a language model, and a site to crawl.
final class DashboardProduct implements AutoCloseable {
  static final String ADMIN = "key-of-ada-0123456789";
  static final String OPERATOR = "key-of-otto-0123456789";
  static final String VIEWER = "key-of-vera-0123456789";
  private static final String KEYS =
      "admin:ada:%s,operator:otto:%s,viewer:vera:%s".formatted(ADMIN, OPERATOR, VIEWER);
  private static final String OWNER = "ada@example.org";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path data;
  private final Path folder;
  private final AmqpServer amqp;
  private final Product product;
  private final DashboardSite site = new DashboardSite();
  private final FakeModel model = new FakeModel();
  private @Nullable Product worker;
  private @Nullable BrokerAccess wire;

  DashboardProduct(Path folder) throws IOException {
    this.folder = folder;
    data = folder.resolve("data");
    amqp = new AmqpServer(folder.resolve("amqp"), 0, "guest", "guest");
    amqp.start();
    product = Product.up(data, settings().toArray(String[]::new));
    needWorker();
  }

  private List<String> settings() {
    var settings =
        Map.of(
            "api.keys", KEYS,
            "amqp.url", amqp.address(),
            "crawler.allow-networks", "127.0.0.0/8",
            "crawler.default-delay", "1ms",
            "crawler.per-host", "16",
            "crawler.retry-delay", "100ms",
            "embedding.enabled", "false",
            "smtp.url", "smtp://127.0.0.1:9",
            "observe.traces-per-second", "1000");
    var all = new ArrayList<>(List.of("--only", "gateway,crawler,indexer,collector,processor"));
    settings.forEach((key, value) -> all.addAll(List.of("-s", key + "=" + value)));
    return all;
  }

  String address() {
    return Product.address(data, "http");
  }

  DashboardSite site() {
    return site;
  }

  FakeModel model() {
    return model;
  }

  /// The broker that can be taken away.
  AmqpServer amqp() {
    return amqp;
  }

  /// Starts a worker, if none runs; jobs wait for it.
  void needWorker() {
    if (worker != null) return;
    var addresses = Product.addresses(data);
    var settings =
        Map.of(
            "http.port", "0",
            "redis.url", addresses.get("redis").stringValue(),
            "kafka.bootstrap", addresses.get("kafka").stringValue(),
            "llm.url", model.url(),
            "llm.model", "small",
            "embedding.enabled", "false",
            "search.dir", data.resolve("index").toString(),
            "data.dir", folder.resolve("worker").toString());
    var arguments = new ArrayList<>(List.of("run", "worker"));
    settings.forEach((key, value) -> arguments.addAll(List.of("-s", key + "=" + value)));
    worker = Product.start(folder.resolve("worker.log"), Map.of(), arguments);
  }

  void killWorker() {
    if (worker != null) worker.kill();
    worker = null;
  }

  JsonNode post(String path, String body) {
    var answer = sent(request("POST", path, body)).join();
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return Json.parse(answer.body());
  }

  JsonNode get(String path) {
    var answer = sent(request("GET", path, "")).join();
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return Json.parse(answer.body());
  }

  /// Sends all of these without waiting for one before the next.
  List<HttpResponse<String>> all(Stream<HttpRequest> requests) {
    return requests.map(this::sent).toList().stream().map(CompletableFuture::join).toList();
  }

  /// Asks as somebody else, whatever the answer.
  void ask(String key, String method, String path) {
    sent(request(key, method, path, "")).join();
  }

  HttpRequest request(String method, String path, String body) {
    return request(ADMIN, method, path, body);
  }

  private HttpRequest request(String key, String method, String path, String body) {
    return HttpRequest.newBuilder(URI.create(address() + path))
        .header("Authorization", "Bearer " + key)
        .header("Content-Type", "application/json")
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
  }

  private CompletableFuture<HttpResponse<String>> sent(HttpRequest request) {
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  /// Submits a job; answers its id.
  String submit(String task, ObjectNode payload) {
    var job = Json.object().put("task", task).set("payload", payload);
    return post("/v1/jobs", Json.text(job)).get("job_id").stringValue();
  }

  /// Submits a job that calls a tool; answers its id.
  String submitTool(String name, ObjectNode arguments) {
    return submit("tool", Json.object().put("name", name).set("arguments", arguments));
  }

  /// Has so many pages crawled from here on; answers the crawl's id.
  String startCrawl(String url, int pages) {
    return startCrawl(url, pages, OWNER);
  }

  String startCrawl(String url, int pages, String owner) {
    var body = Json.object().put("url", url).put("email", owner).put("maxPages", pages);
    return post("/api/crawls", Json.text(body)).get("id").stringValue();
  }

  /// The same, and waits for its end.
  String crawl(String url, int pages) {
    var id = startCrawl(url, pages);
    awaitStatus("/api/crawls/" + id, "completed");
    return id;
  }

  void awaitStatus(String path, String status) {
    await()
        .atMost(Product.PATIENCE)
        .until(() -> get(path).path("status").asString(""), status::equals);
  }

  /// Waits until a list has so many.
  void awaitTotal(String path, int total) {
    await()
        .atMost(Product.PATIENCE)
        .until(() -> get(path).path("total").asInt(), found -> found >= total);
  }

  /// Waits until a list has something.
  void awaitSome(String path, String list) {
    await().atMost(Product.PATIENCE).until(() -> !get(path).path(list).isEmpty());
  }

  Jedis redis() {
    return new Jedis(URI.create(Product.address(data, "redis")));
  }

  /// Puts an entry into the queue of jobs that is no job.
  void spoilJob(String text) {
    try (var redis = redis()) {
      redis.xadd("jobs:stream", StreamEntryID.NEW_ENTRY, Map.of("nonsense", text));
    }
  }

  /// Kafka, AMQP and Redis as other programs speak to them.
  BrokerAccess wire() {
    if (wire == null) {
      wire =
          new BrokerAccess(
              Product.address(data, "kafka"), amqp.address(), Product.address(data, "redis"));
    }
    return wire;
  }

  @Override
  public void close() {
    if (wire != null) wire.close();
    if (worker != null) worker.close();
    product.close();
    amqp.close();
    site.close();
    model.close();
  }
}
