package io.tidemill.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.StreamEntryID;
import software.amazon.awssdk.services.s3.model.Bucket;
import tools.jackson.databind.JsonNode;

/// All five contracts with other names for everything: it works as ever, and nothing on the servers
/// has a name of the contracts (G6).
class OtherNamesIT {
  private static final String OWNER = "ann@example.org";
  private static final List<String> SETTINGS =
      List.of(
          "kafka.topics=crawl-requests=acme.requests,crawl-responses=acme.responses,workflows=acme.workflows,tasks=acme.tasks",
          "kafka.groups=crawl-workers=acme-crawlers,tidemill-crawl-responses=acme-responses,workflow-processors=acme-processors,workflow-gateways=acme-gateways",
          "amqp.queues=crawler_queue=acme.pages,analytics.data.collected=acme.collected",
          "amqp.exchanges=smap.events=acme.events",
          "redis.prefix=acme:",
          "crawler.bucket=acme-batches",
          "collector.bucket=acme-batches",
          "records.bucket=acme-records",
          "records.input-buckets=acme-batches,acme-exports,acme-inputs",
          "export.bucket=acme-exports",
          "crawler.allow-networks=127.0.0.0/8",
          "crawler.default-delay=10ms",
          "collector.tries=1");

  // Each source of dead letters with the contract's name, and where a stranger puts a bad message.
  private static final Map<String, String> TOPICS =
      Map.of(
          "crawl-requests", "acme.requests",
          "crawl-responses", "acme.responses",
          "workflows", "acme.workflows",
          "tasks", "acme.tasks");

  @TempDir Path folder;
  private Path data = Path.of("");
  private Api api = new Api("");

  @Test
  void everyContractWorksAndTheServersHaveTheOtherNamesOnly() throws Exception {
    data = folder.resolve("data");
    var arguments = SETTINGS.stream().flatMap(each -> Stream.of("-s", each)).toList();
    try (var site = new OnePageSite(OtherNamesIT::page);
        var product = Product.up(data, arguments.toArray(String[]::new))) {
      api = new Api(Product.address(data, "http"));

      crawl(site.url());
      workflows();
      jobs();
      deadLetters();

      assertOverview();
      assertServersView();
      assertKafka();
      assertAmqp();
      assertRedis();
      assertBuckets();
      assertThat(product.output()).doesNotContain("\tat ");
    }
  }

  private static String page(String path) {
    return "<title>Page %s</title><p>word%sword</p><a href=\"/1\">1</a> <a href=\"/2\">2</a>"
        .formatted(path, path.replace("/", ""));
  }

  // C1, C4, C5
  private void crawl(String url) {
    var body =
        "{\"url\":\"%s\",\"email\":\"%s\",\"maxPages\":10,\"project\":\"acme\"}"
            .formatted(url, OWNER);
    var crawl = api.submit("/api/crawls", body);
    api.await200(crawl, "/status", "completed");
    api.awaitThat(
        "/api/search?mode=keyword&q=word2word", found -> found.path("total").asInt() == 1);
    var project = "/api/analytics/projects/acme";
    api.awaitStatusCode(project, 200);
    api.awaitThat(project, found -> found.at("/totals/items").asInt() == 3);
  }

  // C2
  private void workflows() {
    var workflow =
        api.submit(
            "/api/workflows",
            "{\"name\":\"renamed\",\"priority\":\"high\",\"steps\":[\"validate\",\"store\"],\"input\":{\"records\":[{\"id\":1}]}}");
    api.await200(workflow, "/status", "completed");
    var task =
        api.submit(
            "/api/tasks",
            "{\"type\":\"data_export\",\"data\":{\"source\":{\"records\":[{\"a\":1}]},\"format\":\"csv\"}}");
    api.await200(task, "/status", "completed");
    assertThat(api.get(task + "/events").body()).contains("task.completed");
    var failed =
        api.submit(
            "/api/workflows",
            "{\"name\":\"renamed\",\"priority\":\"low\",\"steps\":[\"no-such-step\"]}");
    api.await200(failed, "/status", "failed");
  }

  // C3
  private void jobs() {
    var job = api.submit("/v1/jobs", tool("echo", "{\"n\":1}"), Map.of("Idempotency-Key", "k1"));
    api.await200(job, "/status", "done");
    assertThat(api.get(job + "/events").body()).contains("event: queued", "event: done");
    var again = api.submit("/v1/jobs", tool("echo", "{\"n\":1}"), Map.of("Idempotency-Key", "k1"));
    assertThat(again).isEqualTo(job);
    var running = api.submit("/v1/jobs", tool("sleep", "{\"ms\":600000}"));
    api.await200(running, "/status", "running");
    assertThat(api.post(running + "/cancel", "", Map.of()).statusCode()).isLessThan(300);
    api.await200(running, "/status", "canceled");
    // Workers hear of it by a channel, and have free slots again.
    var many = IntStream.range(0, 20).mapToObj(n -> tool("echo", "{\"n\":%d}".formatted(n)));
    many.map(body -> api.submit("/v1/jobs", body))
        .toList()
        .forEach(each -> api.await200(each, "/status", "done"));
  }

  private static String tool(String name, String arguments) {
    return "{\"task\":\"tool\",\"payload\":{\"name\":\"%s\",\"arguments\":%s}}"
        .formatted(name, arguments);
  }

  private void deadLetters() throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", Product.address(data, "kafka")),
            new StringSerializer(),
            new StringSerializer())) {
      for (var topic : TOPICS.values()) {
        producer.send(new ProducerRecord<>(topic, "stranger", "no JSON")).get(30, SECONDS);
      }
    }
    try (var connection = amqp();
        var channel = connection.createChannel()) {
      channel.basicPublish("", "acme.pages", null, "no JSON".getBytes(UTF_8));
      channel.basicPublish("acme.events", "data.collected", null, "no JSON".getBytes(UTF_8));
    }
    try (var redis = redis()) {
      redis.xadd("acme:jobs:stream", StreamEntryID.NEW_ENTRY, Map.of("no", "job"));
    }
    var sources = new ArrayList<>(TOPICS.keySet());
    sources.addAll(List.of("jobs", "crawler_queue", "analytics.data.collected"));
    for (var source : sources) {
      api.awaitThat("/api/dead?source=" + source, found -> found.path("dead").size() == 1);
    }
    // It comes back: it still is no JSON.
    var letter = api.json("/api/dead?source=crawler_queue").at("/dead/0/id").asString();
    var redriven = api.post("/api/dead/" + letter + "/redrive", "{}", Map.of());
    assertThat(redriven.statusCode()).as(redriven.body()).isEqualTo(202);
    api.awaitThat(
        "/api/dead?source=crawler_queue",
        found ->
            found.path("dead").size() == 1 && !found.at("/dead/0/id").asString().equals(letter));
    api.awaitThat("/api/find?q=stranger", found -> found.toString().contains("workflows"));
  }

  private void assertOverview() {
    api.awaitThat(
        "/api/overview",
        found -> {
          var text = found.toString();
          return text.contains("crawl-requests") && !text.contains("acme.");
        });
  }

  // Addresses have the contract's names, and each says what it is called on the server.
  private void assertServersView() {
    var servers = api.json("/api/servers");
    assertThat(named(servers.at("/kafka/topics")))
        .containsAllEntriesOf(TOPICS)
        .containsEntry("tasks.dead", "acme.tasks.dead");
    assertThat(named(servers.at("/amqp/queues")))
        .containsEntry("crawler_queue", "acme.pages")
        .containsEntry("crawler_queue.dead", "acme.pages.dead");
    assertThat(named(servers.at("/redis/streams"))).containsEntry("jobs:dead", "acme:jobs:dead");
    for (var channel : List.of("kafka/workflows", "amqp/crawler_queue.dead", "redis/jobs:dead")) {
      assertThat(api.json("/api/servers/" + channel).path("messages")).isNotEmpty();
    }
  }

  private static Map<String, String> named(JsonNode things) {
    var names = new HashMap<String, String>();
    for (var each : things) {
      names.put(each.path("name").asString(), each.path("serverName").asString(""));
    }
    return names;
  }

  private void assertKafka() throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", Product.address(data, "kafka")))) {
      assertThat(admin.listTopics().names().get(30, SECONDS))
          .hasSize(8)
          .allMatch(name -> name.startsWith("acme."));
      assertThat(admin.listGroups().all().get(30, SECONDS))
          .extracting(GroupListing::groupId)
          .containsExactlyInAnyOrder(
              "acme-crawlers", "acme-responses", "acme-processors", "acme-gateways");
    }
  }

  private void assertAmqp() throws Exception {
    try (var connection = amqp()) {
      for (var there :
          List.of("pages", "pages.gone", "pages.dead", "collected", "collected.dead")) {
        connection.createChannel().queueDeclarePassive("acme." + there);
      }
      connection.createChannel().exchangeDeclarePassive("acme.events");
      for (var queue :
          List.of(
              "crawler_queue",
              "crawler_queue.gone",
              "crawler_queue.dead",
              "analytics.data.collected",
              "analytics.data.collected.dead")) {
        var channel = connection.createChannel();
        assertThatThrownBy(() -> channel.queueDeclarePassive(queue)).hasStackTraceContaining("404");
      }
      var channel = connection.createChannel();
      assertThatThrownBy(() -> channel.exchangeDeclarePassive("smap.events"))
          .hasStackTraceContaining("404");
    }
  }

  private Connection amqp() throws Exception {
    var factory = new ConnectionFactory();
    factory.setUri(Product.address(data, "amqp"));
    return factory.newConnection();
  }

  private void assertRedis() {
    try (var redis = redis()) {
      var keys = redis.keys("*");
      assertThat(keys)
          .hasSizeGreaterThan(50)
          .allMatch(key -> key.startsWith("acme:"))
          .noneMatch(key -> key.startsWith("acme:acme:"))
          .contains("acme:crawls:" + OWNER, "acme:jobs:stream", "acme:idempotency:k1");
      var channels = new CommandArguments(Command.PUBSUB).add("CHANNELS");
      assertThat(redis.executeCommand(new CommandObject<>(channels, BuilderFactory.STRING_LIST)))
          .isNotEmpty()
          .allMatch(channel -> channel.startsWith("acme:"));
    }
  }

  private RedisClient redis() {
    return RedisClient.create(URI.create(Product.address(data, "redis")));
  }

  private void assertBuckets() {
    try (var s3 = Fixture.s3(data)) {
      assertThat(s3.listBuckets().buckets())
          .extracting(Bucket::name)
          .contains("acme-batches", "acme-exports", "acme-inputs")
          .allMatch(name -> name.startsWith("acme-"));
    }
  }

  @Test
  void aWrongNameIsRefusedInOneLine() {
    for (var wrong :
        Map.of(
                "kafka.topics=workflow=x", "kafka.topics has 'workflow': expected one of",
                "kafka.topics=tasks=workflows", "two things have this name",
                "amqp.queues=crawler_queue=a b", "amqp.queues has 'a b' (from -s): expected up to",
                "amqp.exchanges=events=x", "amqp.exchanges has 'events': expected one of",
                "redis.prefix=a b", "redis.prefix is 'a b' (from -s): expected up to",
                "crawler.bucket=a/b", "crawler.bucket is 'a/b' (from -s): expected the name")
            .entrySet()) {
      var arguments = List.of("up", "--data", folder.resolve("x").toString(), "-s", wrong.getKey());
      try (var refused = Product.start(folder.resolve("wrong.log"), Map.of(), arguments)) {
        assertThat(refused.awaitExit()).isEqualTo(2);
        assertThat(refused.output()).contains(wrong.getValue()).hasLineCount(1);
      }
    }
  }
}
