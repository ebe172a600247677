package io.tidemill.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import io.tidemill.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import redis.clients.jedis.RedisClient;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes a fixture for [UpgradeIT] of the version that is built here, or of the one in the folder
/// `-Dtidemill.lib=…`:
///
///     ./tidemill test -pl app -am -Dtest=none -Dit.test=FixtureMakerIT -Dtidemill.fixture=NAME
///
/// Roles stop one after the other, always by `kill -9`: everything works, then crawls go on that
/// nobody indexes or analyses, then a gateway alone takes in what nobody begins.
@EnabledIfSystemProperty(named = "tidemill.fixture", matches = "[A-Za-z0-9.-]+")
class FixtureMakerIT {
  private static final String OWNER = "ann@example.org";

  // Made again at each start, or naming folders of this machine.
  private static final List<String> LEFT_OUT =
      List.of(
          "data/native",
          "data/addresses.json",
          "data/tidemill.lock",
          "data/redis/redis-server-*",
          "data/redis/redis.conf",
          "data/redis/redis.log",
          "data/redis/redis.out",
          "data/redis/redis.pid",
          "*.lck",
          "je.info.*",
          "je.stat.csv",
          "je.config.csv");

  // What stands for something that is going on right now: it has to run out.
  private static final List<String> TRANSIENT =
      List.of("presence", "process", "turn:", "crawled:", "robots:", "tools", "audit:seen", "wire");

  // The AMQP broker's store names the folder that it is in: one that says nothing about a machine.
  private final Path folder = Path.of("/tmp/tidemill-fixture");
  private Path data = Path.of("");
  private Api api = new Api("");
  private final ObjectNode manifest = Json.object();
  private final ObjectNode same = manifest.putObject("same");
  private final ObjectNode ends = manifest.putObject("ends");
  private final ArrayNode keys = manifest.putArray("keys");
  private final ArrayNode pages = manifest.putArray("pages");
  private final ArrayNode laterPages = manifest.putArray("laterPages");
  private final ArrayNode gonePages = manifest.putArray("gonePages");
  private final ObjectNode analytics = manifest.putObject("analytics");
  private final ObjectNode objects = manifest.putObject("objects");
  private final ObjectNode dead = manifest.putObject("dead");

  @Test
  void make() throws Exception {
    data = folder.resolve("data");
    delete(); // what an attempt that failed left behind
    Files.createDirectory(folder);
    try (var _ = new Surroundings(Surroundings.Mood.ADVERSE)) {
      killAJob();
      workAndDie();
      crawlAndDie();
      takeInAndDie();
    }
    pack();
  }

  private void begin(Product product) {
    assertThat(product.output()).contains("is ready");
    api = new Api(Product.address(data, "http"));
  }

  // Dead at the next start, which allows for one delivery.
  private void killAJob() {
    try (var product = Fixture.up(data, List.of())) {
      begin(product);
      var doomed = api.submit("/v1/jobs", sleep(1));
      api.await200(doomed, "/status", "done");
      doomed = api.submit("/v1/jobs", sleep(60_000));
      api.await200(doomed, "/status", "running");
      product.kill();
    }
  }

  private void workAndDie() throws Exception {
    try (var product =
        Fixture.up(
            data,
            List.of(),
            "worker.max-deliveries=1",
            "collector.tries=1",
            "crawler.default-delay=10ms")) {
      begin(product);
      jobs();
      crawls();
      flows();
      strangers();
      deadLetters();
      objects();
      hold(product);
    }
  }

  private void jobs() {
    end(
        "/v1/jobs",
        "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\",\"arguments\":{\"n\":1}}}",
        "job-1",
        "done");
    end("/v1/jobs", "{\"task\":\"embed\",\"payload\":{\"text\":\"tide\"}}", "job-2", "done");
    end("/v1/jobs", "{\"task\":\"chat\",\"payload\":{\"prompt\":\"hello\"}}", "job-3", "error");
    var canceled = api.submit("/v1/jobs", sleep(60_000));
    api.await200(canceled, "/status", "running");
    assertThat(api.post(canceled + "/cancel", "", Map.of()).statusCode()).isLessThan(300);
    api.await200(canceled, "/status", "canceled");
    keep(canceled);
  }

  private void crawls() {
    end("/api/crawls", crawl("/", "early"), "crawl-1", "completed");
    end("/api/crawls", crawl("/lost/", "lost"), "crawl-2", "completed");
    end("/api/crawls", crawl("/late.html", "late"), "crawl-3", "failed");
    for (var path : List.of("/", "/tides.html", "/mills.html", "/salt.html")) {
      api.awaitStatusCode(page(Surroundings.SITE + path), 200);
      if (!path.equals("/salt.html")) pages.add(Surroundings.SITE + path);
    }
    analysed("early", 4);
    analysed("lost", 1);
    analytics.put("early", 4);
    // By meaning: the page has none of these words.
    var question = "/api/search?q=lunar+gravity+moves+seas";
    api.awaitThat(question, found -> found.toString().contains("/tides.html"));
    manifest.putObject("search").put(question, Surroundings.SITE + "/tides.html");
  }

  private static String crawl(String path, String project) {
    return "{\"url\":\"%s\",\"email\":\"%s\",\"maxPages\":10,\"project\":\"%s\"}"
        .formatted(Surroundings.SITE + path, OWNER, project);
  }

  private void analysed(String project, int items) {
    var path = "/api/analytics/projects/" + project;
    api.awaitStatusCode(path, 200);
    api.awaitThat(path, found -> found.at("/totals/items").asInt(-1) == items);
  }

  private void flows() {
    var steps = "\"priority\":\"medium\",\"steps\":[\"validate\",\"store\"]";
    var records =
        "\"input\":{\"records\":[{\"id\":1,\"name\":\"ebb\"},{\"id\":2,\"name\":\"flow\"}]}";
    end(
        "/api/workflows",
        "{\"name\":\"finished\",%s,%s}".formatted(steps, records),
        "flow-1",
        "completed");
    var unknown = "{\"name\":\"failed\",\"priority\":\"low\",\"steps\":[\"no-such-step\"]}";
    end("/api/workflows", unknown, "flow-2", "failed");
    var export =
        "{\"type\":\"data_export\",\"data\":{\"source\":{\"records\":[{\"a\":1}]},\"format\":\"csv\",\"name\":\"kept\"}}";
    end("/api/tasks", export, "task-1", "completed");
    var report = "{\"type\":\"report_generation\",\"data\":{\"records\":[{\"a\":1},{\"a\":2}]}}";
    end("/api/tasks", report, "task-2", "completed");
    var letter = api.submit("/api/tasks", mail(0));
    api.await200(letter, "/status", "dead_letter");
    var id = letter.substring(letter.lastIndexOf('/') + 1);
    dead("failed task", id, null).put("path", letter).put("status", "completed");
  }

  // What programs of another make wrote that can't be used.
  private void strangers() throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", Product.address(data, "kafka")),
            new StringSerializer(),
            new StringSerializer())) {
      for (var topic : List.of("workflows", "tasks", "crawl-requests", "crawl-responses")) {
        producer.send(new ProducerRecord<>(topic, "mended-" + topic, "no JSON")).get();
      }
    }
    var factory = new ConnectionFactory();
    factory.setUri(Product.address(data, "amqp"));
    try (var connection = factory.newConnection();
        var channel = connection.createChannel()) {
      channel.confirmSelect();
      channel.basicPublish("", "crawler_queue", null, "no JSON".getBytes(UTF_8));
      var batch =
          """
          {"event_id":"evt_1","event_type":"data.collected","timestamp":"2026-01-04T01:09:27Z",\
          "payload":{"project_id":"mended","job_id":"mended-1","platform":"web",\
          "minio_path":"crawl-results/mended/batch.json","content_count":1,"batch_index":0}}\
          """;
      channel.basicPublish("smap.events", "data.collected", null, batch.getBytes(UTF_8));
      channel.waitForConfirmsOrDie(10_000);
    }
  }

  private void deadLetters() {
    dead("jobs", only("jobs", ""), null).put("job", "done");
    dead("workflows", only("workflows", ""), created("workflow", WORKFLOW))
        .put("path", "/api/workflows/mended-workflows")
        .put("status", "completed");
    dead("tasks", only("tasks", "mended-tasks"), created("task", TASK))
        .put("path", "/api/tasks/mended-tasks")
        .put("status", "completed");
    var request =
        Json.object().put("value", "{\"url\":\"%s/mended.html\"}".formatted(Surroundings.SITE));
    putKey(request, "mended-crawl-requests");
    dead("crawl-requests", only("crawl-requests", ""), request)
        .put("page", Surroundings.SITE + "/mended.html");
    var response = Json.object().put("value", "{\"success\":true,\"scrapedData\":{}}");
    putKey(response, "mended-crawl-responses");
    dead("crawl-responses", only("crawl-responses", ""), response);
    var page =
        "{\"url\":\"https://mended.example.org/\",\"text\":\"mended\",\"metadata\":{\"title\":\"Mended\","
            + "\"description\":\"\",\"timestamp\":\"2026-11-01T12:00:00Z\",\"status_code\":200}}";
    dead("crawler_queue", only("crawler_queue", ""), Json.object().put("value", page))
        .put("page", "https://mended.example.org/");
    dead("analytics.data.collected", only("analytics.data.collected", ""), null)
        .put("object", "crawl-results/mended/batch.json")
        .put("project", "mended");
    dead("pages", only("pages", "late.html"), null).put("page", Surroundings.SITE + "/late.html");
  }

  private static final String WORKFLOW =
      "\"workflowId\":\"mended-workflows\",\"name\":\"mended\",\"steps\":[\"validate\"],\"priority\":\"high\",\"input\":{\"records\":[{\"a\":1}]}";
  private static final String TASK =
      "\"taskId\":\"mended-tasks\",\"type\":\"data_export\",\"data\":{\"source\":{\"records\":[{\"a\":1}]},\"format\":\"csv\"},\"retryCount\":0,\"maxRetries\":3";

  private static ObjectNode created(String kind, String payload) {
    var event =
        """
        {"eventType":"%s.created","eventId":"evt-mended-%s","timestamp":"2026-11-01T12:00:00.000Z",\
        "payload":{%s,"createdAt":"2026-11-01T12:00:00.000Z"},"metadata":{"source":"test"}}\
        """
            .formatted(kind, kind, payload);
    return Json.object().put("value", event);
  }

  private static void putKey(ObjectNode edit, String id) {
    var headers = edit.putArray("headers");
    headers.addObject().put("name", "id").put("value", id);
    headers.addObject().put("name", "email").put("value", OWNER);
    headers.addObject().put("name", "createdAt").put("value", "2026-11-01T12:00:00.000Z");
  }

  // The id of the only letter that has these words.
  private String only(String source, String words) {
    var path = "/api/dead?source=%s&q=%s".formatted(source, words);
    api.awaitThat(path, found -> found.path("dead").size() == 1);
    return api.json(path).at("/dead/0/id").stringValue();
  }

  private ObjectNode dead(String name, String id, @Nullable ObjectNode edit) {
    var letter = dead.putObject(name);
    letter.put("id", id);
    if (edit != null) letter.set("edit", edit);
    return letter;
  }

  private void objects() throws Exception {
    try (var s3 = Fixture.s3(data)) {
      for (var bucket : s3.listBuckets().buckets()) {
        for (var object : s3.listObjectsV2(list -> list.bucket(bucket.name())).contents()) {
          var bytes =
              s3.getObjectAsBytes(get -> get.bucket(bucket.name()).key(object.key())).asByteArray();
          var hash = MessageDigest.getInstance("SHA-256").digest(bytes);
          objects.put(bucket.name() + "/" + object.key(), HexFormat.of().formatHex(hash));
        }
      }
    }
    assertThat(objects.propertyNames()).anyMatch(name -> name.contains("kept.csv"));
  }

  // In the middle of everything.
  private void hold(Product product) {
    var task = api.submit("/api/tasks", mail(3));
    api.awaitThat(task, found -> !found.path("nextRetryAt").isMissingNode());
    ends.put(task, "completed");
    var busy = api.submit("/api/workflows", hook("busy"));
    ends.put(busy, "completed");
    var held =
        api.submit(
            "/api/workflows",
            "{\"name\":\"waits for a crawl\",\"priority\":\"low\",\"steps\":[\"crawl\",\"store\"],\"input\":{\"crawl\":{\"url\":\"%s/held.html\"}}}"
                .formatted(Surroundings.LONG_SITE));
    ends.put(held, "completed");
    var slow = api.submit("/api/workflows", hook("slow"));
    ends.put(slow, "completed");
    var job = api.submit("/v1/jobs", sleep(1_500));
    for (var flow : List.of(busy, held, slow)) api.await200(flow, "/status", "processing");
    // One waits for its next attempt, one for its crawl.
    try (var redis = RedisClient.create(URI.create(Product.address(data, "redis")))) {
      await().atMost(Product.PATIENCE).until(() -> redis.zcard("workflows:timers") == 2);
      assertThat(redis.zcard("tasks:timers")).isEqualTo(1);
    }
    ends.put(job, "done");
    var last = api.submit("/v1/jobs", sleep(3_000));
    api.await200(last, "/status", "running");
    ends.put(last, "done");
    product.kill();
  }

  private void awaitMessages(String queue, int count) throws Exception {
    var factory = new ConnectionFactory();
    factory.setUri(Product.address(data, "amqp"));
    try (var connection = factory.newConnection();
        var channel = connection.createChannel()) {
      await()
          .atMost(Product.PATIENCE)
          .until(() -> channel.queueDeclarePassive(queue).getMessageCount() >= count);
    }
  }

  private void crawlAndDie() throws Exception {
    try (var product =
        Fixture.up(data, List.of("--only", "gateway,crawler"), "crawler.default-delay=700ms")) {
      begin(product);
      var crawl = "{\"url\":\"%s/\",\"email\":\"%s\",\"maxPages\":20,\"project\":\"%s\"}";
      var unread =
          api.submit("/api/crawls", crawl.formatted(Surroundings.UNREAD_SITE, OWNER, "unread"));
      var going = api.submit("/api/crawls", crawl.formatted(Surroundings.LONG_SITE, OWNER, "long"));
      api.await200(unread, "/status", "completed");
      keep(unread);
      analytics.put("unread", 3).put("long", Surroundings.LONG_PAGES);
      for (var path : List.of("/", "/a.html", "/b.html"))
        laterPages.add(Surroundings.UNREAD_SITE + path);
      laterPages.add(Surroundings.LONG_SITE + "/");
      for (int n = 1; n < Surroundings.LONG_PAGES; n++) {
        laterPages.add(Surroundings.LONG_SITE + "/" + n + ".html");
      }
      ends.put(going, "completed");
      api.awaitThat(going, found -> found.at("/progress/fetched").asInt(0) >= 3);
      awaitMessages("crawler_queue", 6);
      awaitMessages("analytics.data.collected", 1);
      product.kill();
    }
  }

  private void takeInAndDie() throws Exception {
    try (var product = Fixture.up(data, List.of("--only", "gateway"), "jobs.window=2")) {
      begin(product);
      for (var tenant : List.of("a", "a", "a", "b", "b")) {
        var echo = "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"}}";
        ends.put(api.submit("/v1/jobs", echo, Map.of("X-Tenant", tenant)), "done");
      }
      var records =
          "{\"name\":\"unread\",\"priority\":\"high\",\"steps\":[\"validate\"],\"input\":{\"records\":[{\"a\":1}]}}";
      ends.put(api.submit("/api/workflows", records), "completed");
      var export =
          "{\"type\":\"data_export\",\"data\":{\"source\":{\"records\":[{\"a\":1}]},\"format\":\"ndjson\"}}";
      ends.put(api.submit("/api/tasks", export), "completed");
      var asked = Surroundings.UNREAD_SITE + "/asked.html";
      var crawl = "{\"url\":\"%s\",\"email\":\"%s\"}".formatted(asked, OWNER);
      ends.put(api.submit("/api/crawls", crawl), "completed");
      laterPages.add(asked);
      var salt = Surroundings.SITE + "/salt.html";
      assertThat(api.delete(page(salt)).statusCode()).isLessThan(300);
      gonePages.add(salt);
      redriveSome();
      for (var path : List.copyOf(same.propertyNames())) same.set(path, api.json(path));
      var events = manifest.putObject("events");
      for (var path : same.propertyNames()) {
        events.put(path + "/events", api.get(path + "/events").body());
      }
      manifest.set("audit", api.json("/api/audit?limit=1000").path("audit"));
      keepForEver(product);
    }
  }

  private void redriveSome() {
    var run =
        api.submit(
            "/api/dead/redrives", "{\"source\":\"pages\",\"q\":\"/lost/\",\"ratePerSecond\":1}");
    api.awaitThat(run, found -> found.path("redriven").asInt(0) >= 2);
    assertThat(api.json(run).path("state").stringValue()).isEqualTo("running");
    assertThat(api.json(run).path("total").asInt(0)).isEqualTo(Surroundings.LOST);
    manifest.putObject("redrive").put(run, Surroundings.LOST);
    for (int n = 1; n <= Surroundings.LOST; n++) {
      laterPages.add(Surroundings.SITE + "/lost/" + n + ".html");
    }
  }

  // A fixture is opened months later: Kafka would drop records and Redis keys by their age.
  private void keepForEver(Product product) throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", Product.address(data, "kafka")))) {
      var forEver =
          new AlterConfigOp(new ConfigEntry("retention.ms", "-1"), AlterConfigOp.OpType.SET);
      var all = new HashMap<ConfigResource, Collection<AlterConfigOp>>();
      for (var topic : admin.listTopics().names().get(30, TimeUnit.SECONDS)) {
        all.put(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(forEver));
      }
      admin.incrementalAlterConfigs(all).all().get(30, TimeUnit.SECONDS);
      // Else the next start waits for consumers that were killed, until their sessions end. They
      // come back when they notice, so the process has to stand still before.
      var removed = new ArrayList<KafkaFuture<Void>>();
      for (var group :
          admin
              .describeConsumerGroups(
                  admin
                      .listGroups(ListGroupsOptions.forConsumerGroups())
                      .all()
                      .get(30, TimeUnit.SECONDS)
                      .stream()
                      .map(GroupListing::groupId)
                      .toList())
              .all()
              .get(30, TimeUnit.SECONDS)
              .values()) {
        if (group.members().isEmpty()) continue;
        var everybody = new RemoveMembersFromConsumerGroupOptions();
        removed.add(admin.removeMembersFromConsumerGroup(group.groupId(), everybody).all());
      }
      for (var each : removed) each.get(30, TimeUnit.SECONDS);
      // Redis is another process: it goes on, and nobody gives keys a new life.
      signal("STOP", product.pid());
    }
    try (var redis = RedisClient.create(URI.create(Product.address(data, "redis")))) {
      for (var key : Set.copyOf(redis.keys("*"))) {
        if (TRANSIENT.stream().noneMatch(key::startsWith)) redis.persist(key);
      }
    }
    var redisPid = Long.parseLong(Files.readString(data.resolve("redis/redis.pid")).strip());
    product.kill();
    await().atMost(Product.PATIENCE).until(() -> ProcessHandle.of(redisPid).isEmpty());
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor())
        .isZero();
  }

  private void pack() throws Exception {
    var fixture = new Fixture(System.getProperty("tidemill.fixture"));
    Files.createDirectories(Fixture.HOME);
    var arguments = new ArrayList<String>();
    LEFT_OUT.forEach(pattern -> arguments.add("--exclude=" + pattern));
    arguments.addAll(List.of("--owner=0", "--group=0", "--sort=name", "-C", folder.toString()));
    arguments.addAll(List.of("-czf", fixture.archive().toAbsolutePath().toString(), "data"));
    Fixture.tar(arguments.toArray(String[]::new));
    Files.writeString(fixture.manifestFile(), manifest.toPrettyString() + "\n");
    assertThat(Files.size(fixture.archive())).isLessThan(2_000_000);
    delete();
  }

  private void delete() throws Exception {
    if (!Files.exists(folder)) return;
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  /// Asks for something with an Idempotency-Key, waits for its end and remembers it.
  private void end(String path, String body, String key, String status) {
    var made = api.submit(path, body, Map.of("Idempotency-Key", key));
    api.await200(made, "/status", status);
    keep(made);
    keys.addObject().put("path", path).put("key", key).put("body", body).put("made", made);
  }

  private void keep(String path) {
    same.putNull(path);
  }

  private static String page(String url) {
    return "/api/pages?url=" + URLEncoder.encode(url, UTF_8);
  }

  private static String sleep(int ms) {
    return "{\"task\":\"tool\",\"payload\":{\"name\":\"sleep\",\"arguments\":{\"ms\":%d}}}"
        .formatted(ms);
  }

  private static String mail(int retries) {
    return "{\"type\":\"email_notification\",\"maxRetries\":%d,\"data\":{\"recipient\":\"ann@example.org\",\"subject\":\"s\",\"text\":\"t\"}}"
        .formatted(retries);
  }

  private static String hook(String name) {
    return "{\"name\":\"calls %s\",\"priority\":\"high\",\"steps\":[\"validate\",\"notify\",\"store\"],\"input\":{\"records\":[{\"a\":1}],\"notify\":{\"webhook\":{\"url\":\"%s/hook/%s\"}}}}"
        .formatted(name, Surroundings.SITE, name);
  }
}
