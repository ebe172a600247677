package io.tidemill.dashboard.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.config.Settings;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.S3Config;
import io.tidemill.service.Unavailable;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.ForeignProgram;
import io.tidemill.support.Resp;
import io.tidemill.trace.MessageSamples;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Servers as they are, and what lies in them, on real ones.
class ServersIT {
  private static CrawlPlatform platform;
  private static Redis redis;
  private static ServersModule desk;
  private static KafkaPublisher kafka;
  private static ForeignProgram stranger;
  private static Resp resp;

  @BeforeAll
  static void start() throws Exception {
    platform = CrawlPlatform.servers();
    redis = new Redis(platform.section(RedisConfig.class));
    desk =
        new ServersModule(
            new ServersModule.Servers(
                redis,
                platform.section(KafkaConfig.class),
                platform.section(AmqpConfig.class),
                platform.section(S3Config.class),
                null,
                false,
                null),
            jobs(),
            InstantSource.system());
    kafka = new KafkaPublisher(platform.section(KafkaConfig.class), "test");
    stranger = new ForeignProgram(URI.create(platform.amqp().address()).getPort());
    resp = new Resp(URI.create(platform.redis().address()).getPort());
  }

  private static JobsConfig jobs() {
    return Settings.load(null, Map.of(), Map.of(), List.of(JobsConfig.class))
        .section(JobsConfig.class);
  }

  @AfterAll
  static void stop() {
    resp.close();
    stranger.close();
    kafka.close();
    desk.close();
    redis.close();
    platform.close();
  }

  @BeforeEach
  void clear() throws Exception {
    resp.call("FLUSHALL");
    stranger.queue("crawler_queue");
  }

  /// Asks as a client does, past the sockets.
  private static Response.Body ask(String target) throws Exception {
    var request = Request.of("GET", target);
    var parts = request.path().split("/", -1);
    for (var route : desk.routes().routes()) {
      var pattern = route.path().split("/", -1);
      var last = pattern.length - 1;
      if (route.path().equals(request.path())) {
        return (Response.Body) route.handler().handle(request);
      }
      if (parts.length == pattern.length
          && pattern[last].startsWith("{")
          && parts[last - 1].equals(pattern[last - 1])) {
        var name = pattern[last].substring(1, pattern[last].length() - 1);
        return (Response.Body) route.handler().handle(request.withPathParam(name, parts[last]));
      }
    }
    throw new AssertionError(target);
  }

  private static JsonNode get(String target) throws Exception {
    return Json.parse(ask(target).body());
  }

  // Of which the pipeline makes a 422.
  private static void assertWrong(String target, String parameter) {
    assertThatExceptionOfType(Parameters.Wrong.class)
        .isThrownBy(() -> ask(target))
        .returns(parameter, Parameters.Wrong::parameter);
  }

  private static List<String> texts(JsonNode messages, String field) {
    return StreamSupport.stream(messages.get("messages").spliterator(), false)
        .map(message -> message.get(field).asString(""))
        .toList();
  }

  private static void publish(String topic, String key, String value) {
    kafka.publish(
        new OutgoingRecord(
            topic, key.getBytes(UTF_8), List.of(KafkaHeader.of("id", key)), value.getBytes(UTF_8)));
  }

  @Test
  void everyServerTellsHowItStandsAndOneThatIsDownHidesNoOther() throws Exception {
    resp.call("XGROUP", "CREATE", "jobs:stream", "workers", "0", "MKSTREAM");
    resp.call("XADD", "jobs:stream", "*", "job_id", "a", "task", "embed", "payload", "{}");
    publish("crawl-requests", "told", "{\"url\":\"http://a/\"}");
    stranger.publish("crawler_queue", "one");
    stranger.confirm();

    var told = get("/api/servers");

    for (var name : List.of("kafka", "amqp", "redis", "s3")) {
      assertThat(told.at("/" + name + "/status").asString("")).as(name).isEqualTo("up");
    }
    for (var name : List.of("index", "vectors", "analytics")) {
      assertThat(told.at("/" + name + "/status").asString("")).as(name).isEqualTo("off");
    }
    var topic = told.at("/kafka/topics/0");
    assertThat(topic.get("name").stringValue()).isEqualTo("crawl-requests");
    assertThat(topic.get("partitions")).hasSize(3);
    assertThat(topic.get("messages").longValue()).isPositive();
    assertThat(told.at("/kafka/brokers/0/host").asString("")).isEqualTo(platform.kafka().address());
    assertThat(told.at("/amqp/queues/0"))
        .hasToString(
            "{\"name\":\"crawler_queue\",\"messages\":1,\"consumers\":0,\"kind\":\"contract\"}");
    assertThat(told.at("/redis/memory").longValue()).isPositive();
    assertThat(told.at("/redis/streams"))
        .hasToString(
            "[{\"name\":\"jobs:stream\",\"length\":1,\"groups\":[{\"name\":\"workers\","
                + "\"consumers\":0,\"pending\":0,\"lag\":1}]}]");

    platform.s3().close();
    try {
      var without = get("/api/servers");
      assertThat(without.at("/s3/status").asString("")).isEqualTo("down");
      assertThat(without.at("/s3/detail").asString("")).isNotEmpty();
      assertThat(without.at("/kafka/status").asString("")).isEqualTo("up");
      assertThat(without.at("/amqp/status").asString("")).isEqualTo("up");
    } finally {
      platform.s3().start();
    }
  }

  @Test
  void recordsAreShownFromTheNewestOrFromAnOffset() throws Exception {
    for (int i = 0; i < 5; i++) publish("crawl-responses", "same", "{\"n\":" + i + "}");

    var newest = get("/api/servers/kafka/crawl-responses?limit=2");
    var partition = newest.at("/messages/0/partition").intValue();
    var first =
        get("/api/servers/kafka/crawl-responses?partition=" + partition + "&from=0&limit=3");
    var rest =
        get(
            "/api/servers/kafka/crawl-responses?partition=%d&from=%s"
                .formatted(partition, first.get("next").stringValue()));

    assertThat(texts(newest, "value")).containsExactly("{\"n\":4}", "{\"n\":3}");
    assertThat(newest.at("/messages/0/headers"))
        .hasToString("[{\"name\":\"id\",\"value\":\"same\"}]");
    assertThat(texts(first, "offset")).containsExactly("0", "1", "2");
    assertThat(texts(rest, "value")).containsExactly("{\"n\":3}", "{\"n\":4}");
    assertThat(rest.has("next")).isFalse();
    assertThat(
            get("/api/servers/kafka/crawl-responses?partition=9&from=0").get("status").intValue())
        .isEqualTo(404);
    assertThat(ask("/api/servers/kafka/__consumer_offsets").status()).isEqualTo(404);
    assertWrong("/api/servers/kafka/crawl-responses?from=1", "partition");
    assertWrong("/api/servers/kafka/crawl-responses?limit=1000", "limit");
  }

  @Test
  void messagesOfAQueueAreShownAndStay() throws Exception {
    for (int i = 0; i < 5; i++) stranger.publish("crawler_queue", "m" + i);
    stranger.confirm();

    var seen = get("/api/servers/amqp/crawler_queue?limit=2");

    assertThat(texts(seen, "value")).containsExactly("m0", "m1");
    assertThat(seen.get("total").intValue()).isEqualTo(5);
    await().until(() -> stranger.depth("crawler_queue") == 5);
    assertThat(stranger.bodies("crawler_queue")).containsExactly("m0", "m1", "m2", "m3", "m4");
    assertThat(ask("/api/servers/amqp/somebody.elses").status()).isEqualTo(404);
  }

  @Test
  void entriesOfAStreamAreShownFromTheNewestOn() throws Exception {
    for (int i = 1; i <= 3; i++) {
      resp.call("XADD", "job:a:events", i + "-0", "type", "log", "data", "x".repeat(i * 40_000));
    }

    var page = get("/api/servers/redis/job:a:events?limit=2");
    var rest = get("/api/servers/redis/job:a:events?before=" + page.get("next").stringValue());

    assertThat(texts(page, "id")).containsExactly("3-0", "2-0");
    assertThat(page.at("/messages/0/cut").booleanValue()).isTrue();
    assertThat(page.at("/messages/0/fields/data").stringValue()).hasSize(64 * 1024);
    assertThat(texts(rest, "id")).containsExactly("1-0");
    assertThat(rest.at("/messages/0").has("cut")).isFalse();
    assertThat(get("/api/servers/redis/jobs:dead")).hasToString("{\"messages\":[]}");
    assertThat(ask("/api/servers/redis/job:b:events").status()).isEqualTo(404);
    assertThat(ask("/api/servers/redis/crawls:me@example.org").status()).isEqualTo(404);
    assertWrong("/api/servers/redis/jobs:dead?before=x", "before");
  }

  @Test
  void theNewestMessageOfEachKindIsHeldAgainstItsSchema() throws Exception {
    publish("crawl-requests", "shown", "{\"url\":\"http://newest/\"}");
    resp.call("XADD", "jobs:stream", "*", "job_id", "j1", "task", "embed", "payload", "{}");
    resp.call("XADD", "job:j1:events", "*", "type", "queued", "ts", "1", "step", "s", "data", "{}");
    resp.call("HSET", "job:j1", "job_id", "j1", "status", "lost");
    var samples = new MessageSamples(redis, InstantSource.system());
    samples.offer(
        "page",
        "crawler_queue",
        Map.of("tidemill-lang", "en"),
        "{\"url\":\"http://a/\"}".getBytes(UTF_8));
    samples.offer(
        "collected", "analytics.data.collected", Map.of(), new byte[MessageSamples.LARGEST + 1]);

    var found = await().until(() -> examples(), all -> all.containsKey("page"));

    assertThat(found)
        .containsKeys("crawl-request", "job-entry", "job-event", "job", "page")
        .doesNotContainKey("collected");
    var request = requireNonNull(found.get("crawl-request"));
    assertThat(request.get("value").stringValue()).isEqualTo("{\"url\":\"http://newest/\"}");
    assertThat(request.get("key").stringValue()).isEqualTo("shown");
    assertThat(request.get("valid").booleanValue()).isTrue();
    assertThat(request.get("schema").stringValue())
        .isEqualTo("/contracts/crawl-request.schema.json");
    assertThat(requireNonNull(found.get("job-entry")).get("valid").booleanValue()).isTrue();
    assertThat(requireNonNull(found.get("job-event")).get("valid").booleanValue()).isTrue();
    assertThat(requireNonNull(found.get("job")).get("valid").booleanValue()).isFalse();
    var page = requireNonNull(found.get("page"));
    assertThat(page.get("valid").booleanValue()).isFalse();
    assertThat(page.get("violations").toString()).contains("text").contains("metadata");
    assertThat(page.get("headers")).hasToString("[{\"name\":\"tidemill-lang\",\"value\":\"en\"}]");
  }

  private static Map<String, JsonNode> examples() throws Exception {
    return StreamSupport.stream(get("/api/contracts/examples").get("examples").spliterator(), false)
        .collect(Collectors.toMap(each -> each.get("message").stringValue(), each -> each));
  }

  @Test
  void aSampleIsKeptOnlyEveryFewSeconds() throws Exception {
    var samples = new MessageSamples(redis, InstantSource.system());
    samples.offer("page-gone", "q", Map.of(), "{\"n\":1}".getBytes(UTF_8));
    samples.offer("page-gone", "q", Map.of(), "{\"n\":2}".getBytes(UTF_8));
    samples.offerEntry("job-entry", "jobs:stream", Map.of("job_id", "x".getBytes(UTF_8)));

    var kept = await().until(samples::newest, all -> all.size() == 2);

    assertThat(requireNonNull(kept.get("page-gone")).tree().get("value").stringValue())
        .isEqualTo("{\"n\":1}");
    assertThat(requireNonNull(kept.get("job-entry")).tree().get("value").stringValue())
        .isEqualTo("{\"job_id\":\"x\"}");
  }

  @Test
  void whileABrokerIsDownAPeekSaysSo() throws Exception {
    platform.amqp().close();
    try {
      assertThatThrownBy(() -> ask("/api/servers/amqp/crawler_queue.gone"))
          .isInstanceOf(Unavailable.class)
          .hasMessage("the AMQP broker does not answer");
    } finally {
      platform.amqp().start();
      stranger.close();
      stranger = new ForeignProgram(URI.create(platform.amqp().address()).getPort());
    }
  }
}
