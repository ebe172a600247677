package io.tidemill.crawl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.gateway.crawl.CrawlModule;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.servers.KafkaServer;
import io.tidemill.servers.RedisServer;
import io.tidemill.service.Services;
import io.tidemill.support.Resp;
import io.tidemill.support.SseClient;
import io.tidemill.support.Wiring;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Protocol.Command;
import tools.jackson.databind.JsonNode;

/// The gateway's side of C1 on a real Kafka and Redis; the crawler is a plain Kafka client.
class CrawlGatewayIT {
  @TempDir static Path folder;
  private static RedisServer redisServer;
  private static KafkaServer kafkaServer;
  private static Redis redis;
  private static Metrics metrics;
  private static HttpServer http;
  private static Services services;
  private static KafkaConsumer<byte[], byte[]> crawler;
  private static KafkaProducer<byte[], byte[]> producer;
  private static final List<ConsumerRecord<byte[], byte[]>> requests = new ArrayList<>();
  private static final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    redisServer = new RedisServer(folder.resolve("redis"), 0, "256mb", "everysec");
    kafkaServer = new KafkaServer(folder.resolve("kafka"), 0);
    redisServer.start();
    kafkaServer.start();
    var settings =
        Wiring.settings(
            redisServer.address(),
            List.of("kafka.bootstrap=" + kafkaServer.address(), "crawls.doubt-after=300ms"));
    var kafka = settings.section(KafkaConfig.class);
    try (var topics = new TopicProvisioner(kafka)) {
      topics.provision(
          Stream.of(CrawlNames.REQUESTS, CrawlNames.RESPONSES)
              .map(name -> new TopicProvisioner.Wanted(name, 3, Duration.ofDays(7)))
              .toList());
    }
    redis = new Redis(settings.section(RedisConfig.class));
    metrics = new Metrics();
    var clock = InstantSource.system();
    var tail = new StreamTail(redis, 1, metrics.registry());
    var traces = new Traces(settings.section(ObserveConfig.class));
    var desk =
        new CrawlModule(
            settings.section(CrawlsConfig.class),
            redis,
            kafka,
            tail,
            traces,
            metrics.registry(),
            clock);
    http =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            List.of(desk.routes()),
            metrics,
            traces,
            clock);
    services = new Services(List.of(tail, desk, http));
    services.start();
    var plain = Map.<String, Object>of("bootstrap.servers", kafkaServer.address());
    producer = new KafkaProducer<>(plain, new ByteArraySerializer(), new ByteArraySerializer());
    crawler =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafkaServer.address(),
                "group.id",
                "foreign",
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    crawler.subscribe(List.of(CrawlNames.REQUESTS));
  }

  @AfterAll
  static void stop() {
    producer.close();
    crawler.close();
    services.close();
    redis.close();
    metrics.close();
    kafkaServer.close();
    redisServer.close();
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder at(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + path));
  }

  private static HttpResponse<String> post(String body) throws Exception {
    return send(
        at("/api/crawls")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private static JsonNode submit(String email) throws Exception {
    var answer = post("{\"url\":\"https://example.com/Page\",\"email\":\"" + email + "\"}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    return Json.parse(answer.body());
  }

  private static JsonNode get(String path) throws Exception {
    return Json.parse(send(at(path).GET()).body());
  }

  private static ConsumerRecord<byte[], byte[]> request(String id) {
    await()
        .until(() -> {
          crawler.poll(Duration.ofMillis(100)).forEach(requests::add);
          return requests.stream().anyMatch(record -> new String(record.key(), UTF_8).equals(id));
        });
    return requests.stream()
        .filter(record -> new String(record.key(), UTF_8).equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private static void respond(ConsumerRecord<byte[], byte[]> request, String value)
      throws Exception {
    var response = new ProducerRecord<>(CrawlNames.RESPONSES, request.key(), value.getBytes(UTF_8));
    for (var name : List.of("id", "email", "createdAt")) {
      response.headers().add(request.headers().lastHeader(name));
    }
    producer.send(response).get();
  }

  private static JsonNode awaitStatus(String id, String status) {
    await().until(() -> get("/api/crawls/" + id).path("status").asString("").equals(status));
    try {
      return get("/api/crawls/" + id);
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  // C1.2: our gateway has a group of its own, so one of another make hears every response, too.
  @Test
  void leavesTheContractsGroupToGatewaysOfAnotherMake() throws Exception {
    var settings =
        Map.<String, Object>of(
            "bootstrap.servers",
            kafkaServer.address(),
            "group.id",
            CrawlNames.GATEWAYS,
            "auto.offset.reset",
            "earliest");
    try (var other =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      other.subscribe(List.of(CrawlNames.RESPONSES));
      var ids = new ArrayList<String>();
      for (int i = 0; i < 12; i++) {
        var id = submit("beside@example.org").path("id").asString();
        respond(request(id), "{\"success\":true,\"scrapedData\":\"text\"}");
        ids.add(id);
      }
      for (var id : ids) awaitStatus(id, "completed");
      var heard = new ArrayList<String>();
      await()
          .untilAsserted(() -> {
            other.poll(Duration.ofMillis(100)).forEach(each -> heard.add(header(each, "id")));
            assertThat(heard).containsAll(ids);
          });
    }
  }

  @Test
  void asksExactlyAsTheContractSays() throws Exception { // C1.1
    var crawl = submit("someone@Example.org");
    var request = request(crawl.get("id").stringValue());

    assertThat(new String(request.value(), UTF_8))
        .isEqualTo("{\"url\":\"https://example.com/Page\"}");
    assertThat(header(request, "id")).isEqualTo(crawl.get("id").stringValue());
    assertThat(header(request, "email")).isEqualTo("someone@example.org");
    assertThat(header(request, "createdAt")).isEqualTo(crawl.get("createdAt").stringValue());
    assertThat(crawl.get("createdAt").stringValue())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(Stream.of(request.headers().toArray()).map(header -> header.key()))
        .containsExactly("id", "email", "createdAt", "traceparent");
  }

  @Test
  void keepsTheEntityAsTheContractSays() throws Exception { // C1.3
    var crawl = submit("keeper@example.org");
    try (var resp = new Resp(redisServer.port())) {
      var stored =
          Json.parse(
              String.valueOf(
                  resp.call("HGET", "crawls:keeper@example.org", crawl.get("id").stringValue())));
      assertThat(stored.propertyNames())
          .containsExactly("id", "url", "email", "status", "result", "createdAt");
      assertThat(stored.get("status").stringValue()).isEqualTo("pending");
      assertThat(stored.get("result").isNull()).isTrue();
    }
  }

  @Test
  void completesWithWhatTheCrawlerSends() throws Exception { // C1.2
    var id = submit("a@example.org").get("id").stringValue();
    respond(request(id), "{\"success\":true,\"scrapedData\":{\"title\":\"T\",\"n\":[1,{}]}}");

    var ended = awaitStatus(id, "completed");

    assertThat(ended.get("result")).isEqualTo(Json.parse("{\"title\":\"T\",\"n\":[1,{}]}"));
    assertThat(ended.get("id").stringValue()).isEqualTo(id);
  }

  @Test
  void completesWithATextAsWell() throws Exception { // C1.2
    var id = submit("a@example.org").get("id").stringValue();
    respond(request(id), "{\"success\":true,\"scrapedData\":\"just text\"}");

    assertThat(awaitStatus(id, "completed").get("result").stringValue()).isEqualTo("just text");
  }

  @Test
  void failsWithTheCrawlersReason() throws Exception {
    var id = submit("a@example.org").get("id").stringValue();
    respond(request(id), "{\"success\":false,\"errorMessage\":\"Request timed out\"}");

    assertThat(awaitStatus(id, "failed").get("result"))
        .isEqualTo(Json.parse("{\"errorMessage\":\"Request timed out\"}"));
  }

  @Test
  void aSecondResponseChangesNothing() throws Exception { // C1.3
    var id = submit("a@example.org").get("id").stringValue();
    var request = request(id);
    respond(request, "{\"success\":true,\"scrapedData\":\"first\"}");
    respond(request, "{\"success\":false,\"errorMessage\":\"second\"}");
    var after = submit("a@example.org").get("id").stringValue();
    respond(request(after), "{\"success\":true,\"scrapedData\":\"later\"}");
    awaitStatus(after, "completed");

    assertThat(awaitStatus(id, "completed").get("result").stringValue()).isEqualTo("first");
  }

  @Test
  void anAnswerThatCantBeReadEndsTheCrawlToo() throws Exception {
    var id = submit("a@example.org").get("id").stringValue();
    respond(request(id), "{\"success\":");

    assertThat(awaitStatus(id, "failed").get("result").get("errorMessage").stringValue())
        .contains("can't be read");
  }

  @Test
  void sendsOptionsOfASiteAsHeaders() throws Exception { // C1.5
    var answer =
        post(
            "{\"url\":\"https://example.com\",\"email\":\"a@b.org\",\"maxPages\":50,\"include\":[\"/docs/\"],\"scope\":\"domain\"}");
    var request = request(Json.parse(answer.body()).get("id").stringValue());

    assertThat(header(request, "maxPages")).isEqualTo("50");
    assertThat(header(request, "maxDepth")).isEqualTo("10");
    assertThat(header(request, "scope")).isEqualTo("domain");
    assertThat(header(request, "include")).isEqualTo("[\"/docs/\"]");
    assertThat(new String(request.value(), UTF_8)).isEqualTo("{\"url\":\"https://example.com\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"email\":\"a@b.org\"}|url must be a text; it is missing",
        "{\"url\":\"https://e.com\"}|email must be a text; it is missing",
        "{\"url\":\"ftp://e.com\",\"email\":\"a@b.org\"}|url must be an absolute http or https URL",
        "{\"url\":\"https://e.com\",\"email\":\"a@b.org\",\"maxPages\":0}|maxPages must be",
        "{\"url\":\"https://e.com\",\"email\":\"a@b.org\",\"maxPages\":\"x\"}|maxPages must be",
        "{\"url\":\"https://e.com\",\"email\":\"a@b.org\",\"include\":[\"(\"]}|include has '('",
        "{\"url\":\"https://e.com\",\"email\":\"a@b.org\",\"scope\":\"world\"}|scope must be one of",
        "{\"url\":\"https://e.com\",\"email\":\"a@b.org\",\"project\":\"../x\"}|project must be",
        "[]|the body must be a JSON object"
      })
  void saysWhatIsWrong(String body, String problem) throws Exception {
    var answer = post(body);

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(Json.parse(answer.body()).get("detail").stringValue()).contains(problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "a@b@c.org",
        "a b@c.org",
        "a\\r\\nX: 1@c.org",
        "{a}@c.org",
        "@c.org",
        "a@.org"
      })
  void refusesWhatIsNoEmail(String email) throws Exception { // C1.6, F52
    var answer = post("{\"url\":\"https://e.com\",\"email\":\"" + email + "\"}");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(Json.parse(answer.body()).get("detail").stringValue()).startsWith("email ");
  }

  @Test
  void refusesWhatIsNotJson() throws Exception {
    assertThat(post("{").statusCode()).isEqualTo(400);
  }

  @Test
  void listsTheCrawlsOfOneOwnerNewestFirst() throws Exception {
    var owner = UUID.randomUUID() + "@example.org";
    var first = submit(owner).get("id").stringValue();
    await().until(() -> !submitLater(first));
    var second = submit(owner).get("id").stringValue();

    var list = get("/api/crawls?email=" + owner);

    assertThat(list.get("total").intValue()).isEqualTo(2);
    assertThat(list.get("crawls").get(0).get("id").stringValue()).isEqualTo(second);
    assertThat(get("/api/crawls?email=" + owner + "&status=completed").get("total").intValue())
        .isZero();
    assertThat(send(at("/api/crawls?email=nobody").GET()).statusCode()).isEqualTo(422);
  }

  @Test
  void knowsACrawlThatAnotherProgramsGatewayWrote() throws Exception { // C1.3
    var owner = UUID.randomUUID() + "@example.org";
    var pending = foreign(owner, "pending");
    var ended = foreign(owner, "completed");

    // Somebody else may have asked for an unknown one a moment ago.
    await().until(() -> send(at("/api/crawls/" + pending).GET()).statusCode() == 200);

    assertThat(get("/api/crawls/" + pending).get("email").stringValue()).isEqualTo(owner);
    assertThat(get("/api/crawls/" + ended).get("status").stringValue()).isEqualTo("completed");
    assertThat(get("/api/crawls/" + ended + "/pages").get("pages").isEmpty()).isTrue();
    assertThat(get("/api/crawls?email=" + owner).get("total").intValue()).isEqualTo(2);
    assertThat(send(at("/api/crawls/" + UUID.randomUUID()).GET()).statusCode()).isEqualTo(404);
    var canceled = send(at("/api/crawls/" + pending).DELETE());
    assertThat(Json.parse(canceled.body()).get("status").stringValue()).isEqualTo("canceled");
  }

  @Test
  void knowsANewCrawlOfAnOwnerThatItHasMet() throws Exception {
    var owner = UUID.randomUUID() + "@example.org";
    var first = foreign(owner, "pending");
    await().until(() -> send(at("/api/crawls/" + first).GET()).statusCode() == 200);

    var second = foreign(owner, "pending");

    assertThat(get("/api/crawls/" + second).get("id").stringValue()).isEqualTo(second);
  }

  private static String foreign(String owner, String status) {
    var id = UUID.randomUUID().toString();
    var entity = Json.object().put("id", id).put("url", "https://example.com").put("email", owner);
    entity.put("status", status).putNull("result").put("createdAt", "2026-01-04T01:09:27.123Z");
    try (var redis = new Resp(redisServer.port())) {
      redis.call("HSET", "crawls:" + owner, id, Json.text(entity));
    }
    return id;
  }

  // The list is ordered by milliseconds.
  private static boolean submitLater(String id) throws Exception {
    var created = get("/api/crawls/" + id).get("createdAt").stringValue();
    return InstantSource.system().instant().toEpochMilli()
        <= java.time.Instant.parse(created).toEpochMilli();
  }

  @Test
  void cancelsACrawlOnce() throws Exception {
    var id = submit("a@example.org").get("id").stringValue();

    var canceled = send(at("/api/crawls/" + id).DELETE());
    var again = send(at("/api/crawls/" + id).DELETE());

    assertThat(canceled.statusCode()).isEqualTo(200);
    assertThat(Json.parse(canceled.body()).get("status").stringValue()).isEqualTo("canceled");
    assertThat(again.statusCode()).isEqualTo(409);
    respond(request(id), "{\"success\":true,\"scrapedData\":\"late\"}");
    var after = submit("a@example.org").get("id").stringValue();
    respond(request(after), "{\"success\":true,\"scrapedData\":\"x\"}");
    awaitStatus(after, "completed");
    assertThat(get("/api/crawls/" + id).get("status").stringValue()).isEqualTo("canceled");
  }

  @Test
  void tellsWhatHappensAsItHappens() throws Exception {
    var id = submit("a@example.org").get("id").stringValue();
    try (var events = new SseClient(http.port(), "/api/crawls/" + id + "/events", null)) {
      assertThat(events.next().type()).isEqualTo("hello");
      assertThat(events.next().type()).isEqualTo("pending");
      respond(request(id), "{\"success\":true,\"scrapedData\":\"x\"}");
      assertThat(events.rest()).extracting(SseClient.Event::type).containsExactly("completed");
    }
  }

  @Test
  void oneKeyStartsOneCrawl() throws Exception {
    var body = "{\"url\":\"https://e.com/k\",\"email\":\"k@example.org\"}";
    var key = UUID.randomUUID().toString();
    var ids = new ArrayList<String>();
    for (int i = 0; i < 2; i++) {
      var answer =
          send(
              at("/api/crawls").header("Idempotency-Key", key).POST(BodyPublishers.ofString(body)));
      ids.add(Json.parse(answer.body()).get("id").stringValue());
    }
    var other =
        send(
            at("/api/crawls")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body.replace("/k\"", "/other\""))));

    // Who looked first and means it now has to say so with another key.
    var dry =
        send(
            at("/api/crawls")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body.replace("}", ",\"dryRun\":true}"))));

    assertThat(ids.get(0)).isEqualTo(ids.get(1));
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(dry.statusCode()).isEqualTo(422);
  }

  @Test
  void refusesHeadersThatCannotBe() throws Exception {
    var body = "{\"url\":\"https://e.com/k\",\"email\":\"k@example.org\"}";
    var start =
        at("/api/crawls")
            .header("Idempotency-Key", "k".repeat(256))
            .POST(BodyPublishers.ofString(body));
    var follow = at("/api/crawls/none/events").header("Last-Event-ID", "1").GET();

    for (var request : List.of(start, follow)) {
      assertThat(send(request).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void aRepeatedRequestIsPromisedNothingBeforeTheFirstOneIs() throws Exception { // F06, F18
    var body = "{\"url\":\"https://e.com/doubt\",\"email\":\"k@example.org\"}";
    var key = UUID.randomUUID().toString();
    var request =
        at("/api/crawls").header("Idempotency-Key", key).POST(BodyPublishers.ofString(body));
    var id = Json.parse(send(request).body()).get("id").stringValue();
    // As while the first one is on its way to the broker.
    redis.call(Command.ZADD, "crawls:unpublished", Long.MAX_VALUE, id);

    var early = send(request);
    redis.call(Command.ZREM, "crawls:unpublished", id);
    var late = send(request);

    assertThat(early.statusCode()).isEqualTo(409);
    assertThat(early.headers().firstValue("Retry-After")).contains("1");
    assertThat(late.statusCode()).isEqualTo(202);
  }

  @Test
  void publishesWhatADeadGatewayLeftInDoubt() throws Exception { // C1.4
    var store = new CrawlStore(redis, Duration.ofHours(1), InstantSource.system());
    var id = UUID.randomUUID().toString();
    store.create(
        new io.tidemill.contract.crawl.CrawlRequest(
            id,
            "doubt@example.org",
            "2026-01-01T00:00:00.000Z",
            "https://example.com/doubt",
            io.tidemill.contract.crawl.CrawlOptions.SINGLE),
        null,
        Duration.ZERO);

    var request = request(id);

    assertThat(header(request, "email")).isEqualTo("doubt@example.org");
    assertThat(new String(request.value(), UTF_8))
        .isEqualTo("{\"url\":\"https://example.com/doubt\"}");
    await().until(() -> store.unpublished() == 0);
  }

  @Test
  void forgetsACanceledCrawlThatNobodyBegan() throws Exception {
    var id = submit("leak@example.org").get("id").stringValue();
    send(at("/api/crawls/" + id).DELETE());

    try (var resp = new Resp(redisServer.port())) {
      assertThat(resp.number("TTL", "crawl:" + id)).isPositive();
    }
  }

  @Test
  void unknownCrawlsAreNotFound() throws Exception {
    assertThat(send(at("/api/crawls/none").GET()).statusCode()).isEqualTo(404);
    assertThat(send(at("/api/crawls/none/events").GET()).statusCode()).isEqualTo(404);
    assertThat(send(at("/api/crawls/none").DELETE()).statusCode()).isEqualTo(404);
  }

  @Test
  void listsTheCrawlsOfEverybody() throws Exception {
    var one = submit("one@example.org").get("id").stringValue();
    var two = submit("two@example.org").get("id").stringValue();
    respond(request(two), "{\"success\":true,\"scrapedData\":\"text\"}");
    awaitStatus(two, "completed");

    var all = get("/api/crawls?limit=1000");
    var ids = all.get("crawls").valueStream().map(row -> row.get("id").stringValue()).toList();

    assertThat(ids.indexOf(two)).isLessThan(ids.indexOf(one)).isGreaterThanOrEqualTo(0);
    assertThat(all.get("total").asLong()).isEqualTo(ids.size());
    assertThat(all.get("crawls").get(ids.indexOf(two)).propertyNames())
        .containsExactlyElementsOf(
            get("/api/crawls?email=two@example.org").get("crawls").get(0).propertyNames());
    assertThat(idsOf("completed")).contains(two).doesNotContain(one);
    assertThat(idsOf("pending")).contains(one).doesNotContain(two);
    assertThat(get("/api/crawls?limit=1&offset=1").get("crawls").get(0).get("id").stringValue())
        .isEqualTo(ids.get(1));
  }

  @Test
  void saysInListsHowFarEachCrawlIs() throws Exception {
    var id = submit("far@example.org").get("id").stringValue();
    assertThat(get("/api/crawls?email=far@example.org").get("crawls").get(0).has("progress"))
        .as("before a crawler has it")
        .isFalse();
    try (var resp = new Resp(redisServer.port())) {
      resp.call("HSET", "crawl:" + id, "fetched", "3", "failed", "1", "open", "7");
    }

    for (var path : List.of("/api/crawls?limit=1000", "/api/crawls?email=far@example.org")) {
      var row =
          get(path)
              .get("crawls")
              .valueStream()
              .filter(each -> each.get("id").stringValue().equals(id))
              .findFirst()
              .orElseThrow();
      assertThat(row.get("progress").get("fetched").intValue()).isEqualTo(3);
      assertThat(row.get("progress").get("failed").intValue()).isEqualTo(1);
      assertThat(row.get("progress").get("waiting").intValue()).isEqualTo(7);
    }

    send(at("/api/crawls/" + id).DELETE());

    assertThat(get("/api/crawls/" + id).get("progress").has("waiting")).isFalse();
    var listed = get("/api/crawls?email=far@example.org").get("crawls").get(0);
    assertThat(listed.get("progress").get("fetched").intValue()).isEqualTo(3);
    assertThat(listed.get("progress").has("waiting")).as("it is over").isFalse();
  }

  @Test // a gateway of another make writes the entity by itself
  void listsACrawlAsItsOwnGatewayLeftIt() throws Exception {
    var id = submit("stranger@example.org").get("id").stringValue();
    var key = "crawls:stranger@example.org";
    try (var resp = new Resp(redisServer.port())) {
      var entity = String.valueOf(resp.call("HGET", key, id));
      resp.call("HSET", key, id, entity.replace("pending", "completed"));
    }

    assertThat(idsOf("pending")).doesNotContain(id);
    assertThat(idsOf("completed")).contains(id);
  }

  private static List<String> idsOf(String status) throws Exception {
    return get("/api/crawls?limit=1000&status=" + status)
        .get("crawls")
        .valueStream()
        .map(row -> row.get("id").stringValue())
        .toList();
  }
}
