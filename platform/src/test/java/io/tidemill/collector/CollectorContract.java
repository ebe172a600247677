package io.tidemill.collector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.github.luben.zstd.Zstd;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.ItemFilter;
import io.tidemill.analytics.ItemOrder;
import io.tidemill.analytics.ProjectOverview.Totals;
import io.tidemill.analytics.ProjectStore;
import io.tidemill.analytics.StoredItem;
import io.tidemill.config.ByteSize;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.collected.ProjectId;
import io.tidemill.contract.collected.WebItemId;
import io.tidemill.json.Json;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.support.AmqpBroker;
import io.tidemill.support.ForeignProgram;
import io.tidemill.testing.Corpora;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Every scenario of contract C5 under its own name, whichever broker carries the messages and
/// whichever database keeps what was found. Messages come from a plain client.
abstract class CollectorContract {
  private static final int TRIES = 4;
  private static final String BUCKET = "crawl-results";

  abstract AmqpBroker broker();

  abstract AnalyticsConfig database();

  @TempDir private static Path folder;
  private static S3Server s3;
  private static RedisServer redisServer;
  private static Redis redis;
  private static ObjectStore blobs;

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final String project = "proj_" + UUID.randomUUID();
  private ForeignProgram stranger;
  private Analytics analytics;
  private @Nullable CollectorRole collector;

  @BeforeAll
  static void startServers() {
    s3 = new S3Server(folder.resolve("s3"), 0, "key", "secret");
    s3.start();
    redisServer = new RedisServer(folder.resolve("redis"), 0, "64mb", "everysec");
    redisServer.start();
    redis = new Redis(new RedisConfig(redisServer.address(), 1, Duration.ofSeconds(5)));
    blobs = new ObjectStore(new S3Config(s3.address(), "key", "secret"));
    blobs.createBucketIfMissing(BUCKET);
    blobs.createBucketIfMissing("raw-data");
  }

  @AfterAll
  static void stopServers() {
    blobs.close();
    redis.close();
    redisServer.close();
    s3.close();
  }

  @BeforeEach
  void connect() throws Exception {
    stranger = new ForeignProgram(broker().port());
    // Made first, because a broker may refuse to delete what is not there.
    stranger.channel().exchangeDeclare(CollectedNames.EXCHANGE, "topic", true);
    stranger.channel().exchangeDelete(CollectedNames.EXCHANGE);
    deleteQueue();
    stranger.queue(CollectedNames.DEAD);
    analytics = new Analytics(database(), folder.resolve("analytics"), InstantSource.system());
    var log = (Logger) LoggerFactory.getLogger("io.tidemill");
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.INFO);
  }

  private void deleteQueue() throws Exception {
    try (var other = stranger.channel().getConnection().createChannel()) {
      other.queueDelete(CollectedNames.QUEUE);
    } catch (IOException | com.rabbitmq.client.AlreadyClosedException notThere) {
      assertThat(notThere).rootCause().message().contains("404");
    }
  }

  @AfterEach
  void disconnect() {
    var log = (Logger) LoggerFactory.getLogger("io.tidemill");
    log.detachAppender(lines);
    log.setLevel(null);
    if (collector != null) collector.stop();
    analytics.close();
    stranger.close();
  }

  private void start() {
    start("");
  }

  private void start(String resultsExchange) {
    var role =
        new CollectorRole(
            new CollectorConfig(
                2,
                BUCKET,
                TRIES,
                Duration.ofMillis(20),
                Duration.ofMillis(100),
                ByteSize.ofMib(8),
                Duration.ofMinutes(5),
                resultsExchange),
            new CollectorRole.Servers(
                redis, broker().config(), new S3Config(s3.address(), "key", "secret")),
            analytics,
            new Traces(ObserveConfig.standard()),
            metrics,
            InstantSource.system());
    collector = role;
    role.start();
    await()
        .until(() -> {
          try {
            return role.health().check().startsWith("connected");
          } catch (Exception notYet) {
            return false;
          }
        });
  }

  private ObjectNode event(String path) {
    var event =
        Json.object()
            .put("event_id", "evt_" + UUID.randomUUID())
            .put("event_type", "data.collected")
            .put("timestamp", "2025-12-06T10:15:30Z");
    event
        .putObject("payload")
        .put("minio_path", path)
        .put("project_id", project)
        .put("job_id", project + "-brand-0")
        .put("batch_index", 1)
        .put("content_count", 2)
        .put("platform", "tiktok");
    return event;
  }

  private static ObjectNode payload(ObjectNode event) {
    return (ObjectNode) event.get("payload");
  }

  private void publish(byte[] body) throws IOException {
    stranger
        .channel()
        .basicPublish(
            CollectedNames.EXCHANGE,
            CollectedNames.ROUTING_KEY,
            true,
            MessageProperties.PERSISTENT_BASIC,
            body);
    stranger.confirm();
  }

  private void publish(ObjectNode event) throws IOException {
    publish(Json.bytes(event));
  }

  private static String item(String id, String text) {
    return """
    {"meta":{"id":"%s","platform":"TIKTOK","fetch_status":"success"},"content":{"text":"%s"},\
    "interaction":{"views":10,"likes":1,"comments_count":0,"shares":0,"saves":0}}\
    """
        .formatted(id, text);
  }

  private static String two() {
    return "[" + item("1", "What a lovely car") + "," + item("2", "Pin trâu, xe chạy êm") + "]";
  }

  private String put(String name, byte[] bytes, Map<String, String> metadata) {
    var key = "tiktok/" + project + "/brand/" + name;
    blobs.put(BUCKET, key, bytes, "application/json", metadata);
    return BUCKET + "/" + key;
  }

  private String put(String name, String json) {
    return put(name, json.getBytes(UTF_8), Map.of());
  }

  private @Nullable Totals totals() {
    return totals(project);
  }

  private @Nullable Totals totals(String name) {
    return analytics
        .projects()
        .overview(name, ItemFilter.ALL, new ProjectStore.Shape(ProjectStore.Interval.DAY, 5, 5))
        .map(found -> found.totals())
        .orElse(null);
  }

  private List<StoredItem> items() {
    return analytics.projects().items(project, ItemFilter.ALL, ItemOrder.IMPACT, 100, null).items();
  }

  private void awaitTotals(Totals expected) throws IOException {
    await().untilAsserted(() -> assertThat(totals()).isEqualTo(expected));
    awaitSettled();
  }

  // Nothing waits, nothing is under way.
  private void awaitSettled() throws IOException {
    await()
        .until(() ->
            counted("amqp.settled", "ack")
                        + counted("amqp.settled", "dead")
                        + counted("amqp.settled", "requeue")
                    >= metrics.counter("amqp.delivered", "queue", CollectedNames.QUEUE).count()
                && stranger.depth(CollectedNames.QUEUE) == 0);
  }

  private double counted(String name, String as) {
    return metrics.counter(name, "queue", CollectedNames.QUEUE, "as", as).count();
  }

  private List<Delivery> dead(int count) throws IOException {
    await().until(() -> stranger.depth(CollectedNames.DEAD) >= count);
    return stranger.drain(CollectedNames.DEAD);
  }

  private static String header(Delivery letter, String name) {
    return String.valueOf(letter.getProperties().getHeaders().get(name));
  }

  private List<ILoggingEvent> logged(Level least) {
    return List.copyOf(lines.list).stream()
        .filter(line -> line.getLevel().isGreaterOrEqual(least))
        .toList();
  }

  private boolean hasLogged(String words) {
    return logged(Level.INFO).stream().anyMatch(line -> line.getFormattedMessage().contains(words));
  }

  // ---- Data Collected Event Parsing

  @Test
  void parseValidEvent() throws Exception { // C5.2
    start();
    publish(event(put("batch_001.json", two())));

    awaitTotals(new Totals(2, 1, 0));
    assertThat(items()).extracting(found -> found.item().id()).containsExactlyInAnyOrder("1", "2");
    assertThat(items()).extracting(StoredItem::jobId).containsOnly(project + "-brand-0");
    assertThat(stranger.depth(CollectedNames.DEAD)).isZero();
    assertThat(
            metrics
                .counter(
                    "collector.messages",
                    "format",
                    "event",
                    "platform",
                    "tiktok",
                    "outcome",
                    "stored")
                .count())
        .isEqualTo(1);
  }

  @Test
  void handleMalformedEvent() throws Exception { // C5.2
    start();
    var fields = List.of("event_id", "timestamp");
    var inner =
        List.of("project_id", "job_id", "platform", "minio_path", "content_count", "batch_index");
    for (var field : fields) {
      var broken = event("b/p.json");
      broken.remove(field);
      publish(broken);
    }
    for (var field : inner) {
      var broken = event("b/p.json");
      payload(broken).remove(field);
      publish(broken);
    }

    var letters = dead(8);
    assertThat(letters).hasSize(8);
    for (var letter : letters) {
      assertThat(header(letter, "tidemill-attempts")).isEqualTo(String.valueOf(TRIES));
      assertThat(header(letter, "tidemill-reason")).startsWith("failed 4 times: ");
    }
    awaitSettled();
    // Each was delivered as often as it may be, went back to the queue each time but the last.
    assertThat(counted("amqp.settled", "requeue")).isEqualTo(8.0 * (TRIES - 1));
    assertThat(counted("amqp.settled", "dead")).isEqualTo(8);
    assertThat(hasLogged("validation error: job_id must be")).isTrue();
  }

  @Test
  void aMalformedEventIsDeliveredAgainToWhoeverComes() throws Exception { // C5.2
    start();
    var seen = new CopyOnWriteArrayList<Boolean>();
    var other = stranger.channel();
    other.basicQos(1);
    other.basicConsume(
        CollectedNames.QUEUE,
        false,
        (_, got) -> {
          seen.add(got.getEnvelope().isRedeliver());
          other.basicAck(got.getEnvelope().getDeliveryTag(), false);
        },
        _ -> {});

    // One of ours and one of theirs take turns: sooner or later one comes to them the second time.
    await()
        .until(() -> {
          var broken = event("b/p.json");
          broken.remove("timestamp");
          stranger
              .channel()
              .basicPublish(
                  CollectedNames.EXCHANGE, CollectedNames.ROUTING_KEY, null, Json.bytes(broken));
          return seen.contains(true);
        });
  }

  @Test
  void handleInvalidJson() throws Exception { // C5.2
    start();
    var cut = "{\"event_id\":".getBytes(UTF_8);
    var noText = new byte[] {0, 1, 2, (byte) 0xff};
    publish(cut);
    publish(noText);

    var letters = dead(2);
    assertThat(letters).hasSize(2);
    assertThat(letters)
        .allSatisfy(letter -> assertThat(header(letter, "tidemill-attempts")).isEqualTo("1"));
    // Both are handled at once: which one dies first is open.
    assertThat(letters)
        .extracting(letter -> letter.getBody())
        .containsExactlyInAnyOrder(cut, noText);
    awaitSettled();
    assertThat(counted("amqp.settled", "requeue")).isZero();
    assertThat(hasLogged("parsing error: the message is not valid JSON")).isTrue();
  }

  // ---- Exchange and Queue Binding

  @Test
  void queueDeclarationOnStartup() throws Exception { // C5.1
    start();

    // Declared the same way by a stranger: no complaint.
    stranger.channel().exchangeDeclare(CollectedNames.EXCHANGE, "topic", true);
    stranger.channel().queueDeclare(CollectedNames.QUEUE, true, false, false, null);
    publish(event(put("batch_002.json", two())));
    awaitTotals(new Totals(2, 1, 0));
  }

  @Test
  void queueAlreadyExists() throws Exception { // C5.1
    stranger
        .channel()
        .queueDeclare(CollectedNames.QUEUE, true, false, false, Map.of("x-max-length", 1_000_000));
    stranger.channel().exchangeDeclare("elsewhere", "topic", true);
    stranger.channel().queueBind(CollectedNames.QUEUE, "elsewhere", "#");
    start();
    publish(event(put("batch_003.json", two())));

    awaitTotals(new Totals(2, 1, 0));
    assertThat(hasLogged("other bindings of it are not checked without amqp.management-url"))
        .isTrue();
    stranger.channel().queueUnbind(CollectedNames.QUEUE, "elsewhere", "#");
  }

  // ---- MinIO Path Parsing

  @Test
  void parseStandardPathFormat() throws Exception { // C5.3
    blobs.put(
        BUCKET,
        "tiktok/proj_xyz/brand/batch_000.json",
        two().getBytes(UTF_8),
        "application/json",
        Map.of());
    start();
    publish(event("crawl-results/tiktok/proj_xyz/brand/batch_000.json"));

    awaitTotals(new Totals(2, 1, 0));
  }

  @Test
  void handlePathWithNoBucketSeparator() throws Exception { // C5.3
    var name = project + ".json";
    blobs.put(BUCKET, name, two().getBytes(UTF_8), "application/json", Map.of());
    start();
    publish(event(name));

    awaitTotals(new Totals(2, 1, 0));
    assertThat(hasLogged("'" + name + "' names no bucket: taken from crawl-results")).isTrue();
  }

  @Test
  void handleEmptyMinioPath() throws Exception { // C5.3
    start();
    publish(event(""));
    var nothing = event("b/p");
    payload(nothing).putNull("minio_path");
    publish(nothing);
    publish(event("b/../../etc/passwd"));

    assertThat(dead(3))
        .allSatisfy(letter ->
            assertThat(header(letter, "tidemill-attempts")).isEqualTo(String.valueOf(TRIES)));
    awaitSettled();
  }

  // ---- Event Metadata Extraction

  @Test
  void logEventContext() throws Exception { // C5.4
    start();
    var event = event(put("batch_004.json", "[" + item("1", "fine") + ",7]"));
    payload(event).put("content_count", 5).put("batch_index", 3);
    publish(event);
    var lost = event("crawl-results/nowhere.json");
    publish(lost);

    awaitTotals(new Totals(1, 1, 1));
    assertThat(dead(1)).hasSize(1);
    await().until(() -> hasLogged("went to " + CollectedNames.DEAD));
    for (var words :
        List.of("stored 1 items", "content_count is 5", "item 1: the item is not a JSON object")) {
      assertThat(context(words))
          .as(words)
          .containsEntry("event_id", event.get("event_id").asString())
          .containsEntry("project_id", project)
          .containsEntry("job_id", project + "-brand-0")
          .containsEntry("batch_index", "3");
    }
    for (var words : List.of("goes back to the queue", "went to " + CollectedNames.DEAD)) {
      assertThat(context(words))
          .as(words)
          .containsEntry("event_id", lost.get("event_id").asString())
          .containsEntry("project_id", project);
    }
  }

  private Map<String, String> context(String words) {
    return logged(Level.INFO).stream()
        .filter(line -> line.getFormattedMessage().contains(words))
        .findFirst()
        .orElseThrow()
        .getMDCPropertyMap();
  }

  // ---- Dual-Mode Message Format Detection

  @Test
  void detectLegacyFormat() throws Exception { // C5.5
    var key = "posts/" + project + ".json";
    var post =
        item("1", "old").replace("\"platform\"", "\"project_id\":\"" + project + "\",\"platform\"");
    blobs.put("raw-data", key, post.getBytes(UTF_8), "application/json", Map.of());
    start();
    var legacy = Json.object();
    legacy.putObject("data_ref").put("bucket", "raw-data").put("path", key);
    publish(legacy);

    awaitTotals(new Totals(1, 0, 0));
    assertThat(counter("legacy")).isEqualTo(1);
  }

  @Test
  void detectInlineFormat() throws Exception { // C5.5
    start();
    var corpus = Json.parse(Files.readAllBytes(Corpora.find("contracts/c5-data-collected.json")));
    var post = (ObjectNode) corpus.get("events").get(3).get("body");
    ((ObjectNode) post.get("meta")).put("project_id", project);
    publish(post);

    awaitTotals(new Totals(1, 1, 0));
    var item = items().getFirst().item();
    assertThat(item.id()).isEqualTo("consumer_post_1");
    assertThat(item.platform()).isEqualTo("facebook");
    assertThat(item.reactions().comments()).isEqualTo(10);
    assertThat(item.findings().language()).isEqualTo("vi");
    assertThat(item.findings().sentiment()).isNull();
  }

  @Test
  void handleAmbiguousFormat() throws Exception { // C5.5
    start();
    var both = event(put("batch_005.json", two()));
    both.putObject("data_ref").put("bucket", "raw-data").put("path", "not-this-one.json");
    both.set("meta", Json.object().put("id", "nor this"));
    publish(both);

    awaitTotals(new Totals(2, 1, 0));
    assertThat(counter("event")).isEqualTo(1);
  }

  private double counter(String format) {
    return metrics.find("collector.messages").tag("format", format).counters().stream()
        .mapToDouble(found -> found.count())
        .sum();
  }

  // ---- what the rulings add

  @Test
  void everyWayToWriteABatchIsRead() throws Exception { // C5.6
    start();
    var lines = item("1", "a") + "\n" + "{broken\n" + item("2", "b") + "\n\n";
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(("[" + item("3", "c") + "]").getBytes(UTF_8));
    }
    var zstd = Zstd.compress(("[" + item("4", "d") + "]").getBytes(UTF_8));
    publish(event(put("lines.ndjson", lines)));
    publish(event(put("packed.json.gz", packed.toByteArray(), Map.of())));
    publish(event(put("packed.json", zstd, Map.of("compressed", "true"))));
    publish(event(put("one.json", "\n {\n\"id\": 19999999999999999999, \"text\":\"e\"}")));

    awaitTotals(new Totals(5, 4, 1));
    assertThat(items())
        .extracting(found -> found.item().id())
        .containsExactlyInAnyOrder("1", "2", "3", "4", "19999999999999999999");
  }

  @Test
  void aBadItemIsReportedAndTheRestGoesOn() throws Exception { // C5.6
    start();
    var corpus = Json.parse(Files.readAllBytes(Corpora.find("contracts/c5-data-collected.json")));
    var items = corpus.get("items");
    var batch =
        Json.text(List.of(items.get("success_v2"), items.get("error"), 7, List.of(), Map.of()));
    publish(event(put("batch_006.json", batch)));

    awaitTotals(new Totals(1, 1, 4));
    var item = items().getFirst().item();
    assertThat(item.id()).isEqualTo("7441234567890123456");
    assertThat(item.findings().keywords())
        .extracting(keyword -> keyword.phrase())
        .anyMatch(phrase -> phrase.contains("vinfast"));
    assertThat(analytics.projects().failures(project, 10, 0))
        .extracting(failure -> failure.position() + " " + failure.code() + " " + failure.category())
        .containsExactly(
            "1 CONTENT_REMOVED content",
            "2 INVALID_ITEM parsing",
            "3 INVALID_ITEM parsing",
            "4 INVALID_ITEM parsing");
  }

  @Test
  void anItemThatNoDatabaseKeepsIsABadOne() throws Exception { // C5.6
    start();
    var batch = "[" + item("i".repeat(3_000), "long") + "," + item("2", "short") + "]";
    var url = ",{\"url\":\"https://a.example/" + "u".repeat(3_000) + "\",\"text\":\"c\"}]";
    publish(event(put("batch_010.json", batch.replaceFirst("]$", url))));

    awaitTotals(new Totals(2, 1, 1));
  }

  @Test
  void theSameEventAHundredTimesIsOneBatch() throws Exception { // F44
    start();
    var event = event(put("batch_007.json", two()));
    for (var n = 0; n < 100; n++) publish(event);

    await().until(() -> counted("amqp.settled", "ack") == 100);
    assertThat(totals()).isEqualTo(new Totals(2, 1, 0));
  }

  @Test
  void anObjectThatIsMissingIsWaitedForAndItsLetterCanBeRedriven() throws Exception { // F45
    start();
    var event = event("crawl-results/tiktok/" + project + "/brand/late.json");
    publish(event);
    var letter = dead(1).getFirst();
    assertThat(header(letter, "tidemill-reason"))
        .startsWith("failed 4 times: object crawl-results/tiktok/")
        .endsWith("can't be loaded: NoSuchKey");
    assertThat(letter.getBody()).isEqualTo(Json.bytes(event));

    put("late.json", two());
    publish(letter.getBody());

    awaitTotals(new Totals(2, 1, 0));
    assertThat(stranger.depth(CollectedNames.DEAD)).isZero();
  }

  @Test
  void othersGetThroughWhilePoisonWaits() throws Exception { // F39
    start();
    var poison = event("b/p.json");
    poison.remove("event_id");
    for (var n = 0; n < 60; n++) {
      if (n % 3 == 0) publish(poison.put("timestamp", "poison " + n));
      var good = event(put("good_%03d.json".formatted(n), "[" + item("i" + n, "good") + "]"));
      payload(good).put("batch_index", n).put("content_count", 1);
      publish(good);
    }

    await().untilAsserted(() -> assertThat(totals()).isEqualTo(new Totals(60, 60, 0)));
    assertThat(dead(20)).hasSize(20);
    awaitSettled();
    assertThat(metrics.counter("amqp.delivered", "queue", CollectedNames.QUEUE).count())
        .isEqualTo(60.0 + 20 * TRIES);
  }

  @Test
  void aStoreThatIsAwayCostsNoAttempts() throws Exception { // F45
    start();
    var event = event(put("batch_008.json", two()));
    s3.close();
    publish(event);
    await().until(() -> counted("amqp.settled", "requeue") > TRIES + 2);
    assertThat(stranger.depth(CollectedNames.DEAD)).isZero();

    var port = java.net.URI.create(s3.address()).getPort();
    s3 = new S3Server(folder.resolve("s3"), port, "key", "secret");
    s3.start();
    awaitTotals(new Totals(2, 1, 0));
    assertThat(stranger.depth(CollectedNames.DEAD)).isZero();
  }

  @Test
  void whatIsTooLargeOrBrokenGoesToTheDeadLetters() throws Exception { // F45
    start();
    var bomb = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bomb)) {
      gzip.write("[".getBytes(UTF_8));
      for (var n = 0; n < 10_000; n++) gzip.write(" ".repeat(1_000).getBytes(UTF_8));
      gzip.write("]".getBytes(UTF_8));
    }
    publish(event(put("bomb.json.gz", bomb.toByteArray(), Map.of())));
    publish(event(put("cut.json", "[" + item("1", "a") + ",{\"meta\":")));
    publish(event(put("number.json", "42")));

    var reasons = new ArrayList<String>();
    for (var letter : dead(3)) reasons.add(header(letter, "tidemill-reason"));
    assertThat(reasons)
        .containsExactlyInAnyOrder(
            "the batch is larger than 8388608 bytes",
            "failed 4 times: the batch is not valid JSON at line 1, column 175",
            "failed 4 times: the batch is neither an array nor an object");
    assertThat(totals()).isNull(); // nothing of the one that was cut off
  }

  @Test
  void theResultOfABatchIsToldOnce() throws Exception {
    var channel = stranger.channel();
    channel.exchangeDeclare("results.inbound", "topic", true);
    var queue = stranger.queue("results." + project);
    channel.queueBind(queue, "results.inbound", CollectedNames.RESULT_KEY);
    start("results.inbound");
    var event = event(put("batch_009.json", two()));
    publish(event);
    publish(event);

    await().until(() -> counted("amqp.settled", "ack") == 2);
    assertThat(stranger.bodies(queue))
        .containsExactly(
            """
            {"project_id":"%s","job_id":"%s-brand-0","task_type":"analyze_result","batch_size":2,"success_count":2,"error_count":0}\
            """
                .formatted(project, project));
    channel.queueDelete(queue);
  }

  @Test
  void aListOfItemsIsABatch() throws Exception { // C5.7
    start();
    publish(event(put("batch_010.json", "{\"count\":2,\"items\":" + two() + "}")));

    awaitTotals(new Totals(2, 1, 0));
  }

  @Test
  void whatYieldsNoItemIsADeadLetter() throws Exception { // C5.7
    start();
    var nothing = List.of("{\"items\":[]}", "{\"data\":" + two() + "}", "[]", "{}");
    for (var i = 0; i < nothing.size(); i++) publish(event(put("none_" + i, nothing.get(i))));
    publish(Json.object().set("meta", Json.object().put("total", 0)));

    var letters = dead(5);
    assertThat(letters)
        .allSatisfy(letter -> assertThat(header(letter, "tidemill-attempts")).isEqualTo("1"))
        .extracting(letter -> header(letter, "tidemill-reason"))
        .containsOnly(
            "the batch has no items",
            "no item of the batch can be read: the item has neither an id nor any text");
    awaitSettled();
    assertThat(totals()).isNull();
  }

  @Test
  void anEmptyBatchThatWasAnnouncedAsSuchIsStored() throws Exception { // C5.6
    start();
    var event = event(put("batch_011.json", "[]"));
    payload(event).put("content_count", 0);
    publish(event);

    awaitTotals(new Totals(0, 1, 0));
  }

  @Test
  void aProjectWithAUuidIsShownByItsName() throws Exception { // C5.7
    var channel = stranger.channel();
    channel.exchangeDeclare("results.inbound", "topic", true);
    var queue = stranger.queue("results." + project);
    channel.queueBind(queue, "results.inbound", CollectedNames.RESULT_KEY);
    start("results.inbound");
    var event = event(put("batch_012.json", two()));
    payload(event).put("project_id", ProjectId.of(project));
    var headers = Map.<String, Object>of(CollectedNames.PROJECT_HEADER, project);
    channel.basicPublish(
        CollectedNames.EXCHANGE,
        CollectedNames.ROUTING_KEY,
        new AMQP.BasicProperties.Builder().headers(headers).deliveryMode(2).build(),
        Json.bytes(event));

    awaitTotals(new Totals(2, 1, 0));
    assertThat(totals(ProjectId.of(project))).isNull();
    assertThat(stranger.bodies(queue).getFirst())
        .startsWith("{\"project_id\":\"" + ProjectId.of(project) + "\"");
    channel.queueDelete(queue);
  }

  @Test
  void aPageOfAnOlderVersionIsTheSameItem() throws Exception { // C5.7
    start();
    var url = "https://example.com/";
    var old = "0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7";
    var page = "[{\"meta\":{\"id\":\"%s\",\"permalink\":\"%s\"},\"content\":{\"text\":\"hello\"}}]";
    publish(event(put("batch_013.json", page.formatted(old, url))));
    publish(event(put("batch_014.json", page.formatted(WebItemId.of(url), url))));

    awaitTotals(new Totals(1, 2, 0));
    assertThat(items().getFirst().item().id()).isEqualTo(WebItemId.of(url));
  }
}
