package io.tidemill.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemill.app.Product;
import io.tidemill.contract.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;
import tools.jackson.databind.JsonNode;

/// The product as people run it: a gateway with most roles, a worker in a process of its own, keys
/// for three people, and a small web site to crawl.
final class Mill implements AutoCloseable {
  static final String ADMIN = "key-of-ada-0123456789";
  static final String OPERATOR = "key-of-otto-0123456789";
  static final String VIEWER = "key-of-vera-0123456789";
  private static final String KEYS =
      "admin:ada:%s,operator:otto:%s,viewer:vera:%s".formatted(ADMIN, OPERATOR, VIEWER);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path data;
  private final Path folder;
  private final Product product;
  private final HttpServer site;
  private final Map<String, String> titles = new ConcurrentHashMap<>();
  private final Semaphore spoken = new Semaphore(0);
  private @Nullable Product worker;

  private Mill(Path folder) throws IOException {
    this.folder = folder;
    data = folder.resolve("data");
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext(
        "/",
        exchange -> {
          var path = exchange.getRequestURI().getPath();
          var title = titles.get(path);
          var page = (title == null ? "" : page(title)).getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(
              title == null ? 404 : 200, page.length == 0 ? -1 : page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    site.createContext("/v1/chat/completions", this::speak);
    site.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    site.start();
    product =
        Product.up(
            data,
            "--only",
            "gateway,crawler,indexer,collector,processor",
            "-s",
            "api.keys=" + KEYS,
            "-s",
            "crawler.allow-networks=127.0.0.0/8",
            "-s",
            "crawler.default-delay=10ms",
            "-s",
            "crawler.retry-delay=100ms");
  }

  /// A language model that begins to answer, and goes on when it is told to.
  private void speak(HttpExchange exchange) throws IOException {
    var code = new String(exchange.getRequestBody().readAllBytes(), UTF_8).contains("wc.py");
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (var out = exchange.getResponseBody()) {
      out.write(piece(code ? "```python wc.py\nimport sys\n" : "The miller waits "));
      out.flush();
      spoken.acquireUninterruptibly();
      out.write(piece(code ? "print(42)\n```" : "for the ebb."));
      out.write(
          "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
              .getBytes(UTF_8));
    }
  }

  private static byte[] piece(String text) {
    var choice = Json.object();
    choice.putObject("delta").put("content", text);
    var chunk = Json.object();
    chunk.putArray("choices").add(choice);
    return ("data: " + Json.text(chunk) + "\n\n").getBytes(UTF_8);
  }

  /// Lets the language model end its answer.
  void letItSpeak() {
    spoken.release();
  }

  static Mill start(Path folder) throws IOException {
    return new Mill(folder);
  }

  String address() {
    return Product.address(data, "http");
  }

  private String page(String title) {
    var links = new StringBuilder();
    titles.keySet().forEach(path -> links.append("<li><a href=\"%s\">on</a>".formatted(path)));
    return "<!doctype html><html lang=en><title>%s</title><main><h1>%s</h1><p>%s</p><p>%s</p></main><ul>%s</ul>"
        .formatted(
            escaped(title),
            escaped(title),
            "A tide mill is a water mill driven by the rise and fall of the tide. ".repeat(4),
            "The miller waits for the ebb, opens the sluice and grinds the corn. ".repeat(4),
            links);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  /// Puts a page on the site.
  String publish(String path, String title) {
    titles.put(path, title);
    return "http://127.0.0.1:" + site.getAddress().getPort() + path;
  }

  void startWorker() {
    var addresses = Product.addresses(data);
    var arguments = new ArrayList<>(List.of("run", "worker", "-s", "http.port=0"));
    for (var server : Map.of("redis", "redis.url", "kafka", "kafka.bootstrap").entrySet()) {
      var address = addresses.get(server.getKey()).stringValue();
      arguments.addAll(List.of("-s", server.getValue() + "=" + address));
    }
    arguments.addAll(List.of("-s", "data.dir=" + folder.resolve("worker")));
    var model = "http://127.0.0.1:" + site.getAddress().getPort() + "/v1";
    arguments.addAll(List.of("-s", "llm.url=" + model, "-s", "llm.model=small"));
    worker = Product.start(folder.resolve("worker.log"), Map.of(), arguments);
    worker.awaitLog("ready");
  }

  void killWorker() {
    if (worker != null) worker.kill();
    worker = null;
  }

  JsonNode post(String path, String body) {
    return send("POST", path, body);
  }

  JsonNode get(String path) {
    return send("GET", path, "");
  }

  private JsonNode send(String method, String path, String body) {
    var request =
        HttpRequest.newBuilder(URI.create(address() + path))
            .header("Authorization", "Bearer " + ADMIN)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      var answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
      return Json.parse(answer.body());
    } catch (IOException failed) {
      throw new AssertionError(failed);
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  /// Crawls these pages of the site and waits until they can be found.
  String crawl(String url, int pages) {
    var id =
        post(
                "/api/crawls",
                Json.text(
                    Json.object()
                        .put("url", url)
                        .put("email", "ada@example.org")
                        .put("maxPages", pages)))
            .get("id")
            .stringValue();
    awaitStatus("/api/crawls/" + id, "completed");
    return id;
  }

  void awaitStatus(String path, String status) {
    await()
        .atMost(Product.PATIENCE)
        .until(() -> get(path).path("status").asString(""), status::equals);
  }

  Jedis redis() {
    return new Jedis(URI.create(Product.address(data, "redis")));
  }

  /// Puts entries into the queue of jobs that are no jobs.
  void spoilJobs(int entries, String text) {
    try (var redis = redis()) {
      for (int i = 0; i < entries; i++) {
        redis.xadd("jobs:stream", StreamEntryID.NEW_ENTRY, Map.of("nonsense", text));
      }
    }
  }

  String output() {
    return product.output();
  }

  @Override
  public void close() {
    if (worker != null) worker.close();
    product.close();
    site.stop(0);
  }
}
