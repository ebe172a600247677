package io.tidemill.gateway.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.http.BasePath;
import io.tidemill.http.PublicUrl;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.RunningServer;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import io.tidemill.support.Nginx;
import io.tidemill.support.Wiring;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Protocol.Command;
import tools.jackson.databind.node.ObjectNode;

/// Files of tasks and workflows through the gateway: real Redis, real object store, real nginx.
class ResultFilesIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final String KEY = "a key that is long enough";
  private static final String PAGE = "<!doctype html><title>R</title><p style=\"color:red\">Report";
  private static final byte[] LARGE = large();

  @TempDir static Path folder;
  private static S3Server s3;
  private static RedisServer redisServer;
  private static Redis redis;
  private static ObjectStore blobs;
  private static RunningServer server;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static byte[] large() {
    var bytes = new byte[3_000_000];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  @BeforeAll
  static void start() {
    s3 = new S3Server(folder.resolve("s3"), 0, "key", "secret");
    s3.start();
    redisServer = new RedisServer(folder.resolve("redis"), 0, "256mb", "everysec");
    redisServer.start();
    redis = new Redis(new RedisConfig(redisServer.address(), 1, Duration.ofSeconds(5)));
    blobs = new ObjectStore(new S3Config(s3.address(), "key", "secret"));
    for (var bucket : List.of("files", "records", "secrets")) blobs.createBucketIfMissing(bucket);
    put("files", "reports/task-1.html", PAGE.getBytes(UTF_8), "text/html; charset=utf-8");
    put("files", "reports/task-1.pdf", "%PDF-1.7".getBytes(UTF_8), "application/pdf");
    put("files", "mine/ü x.csv", "a\r\n1\r\n".getBytes(UTF_8), "text/csv; charset=utf-8");
    put("files", "exports/large.bin", LARGE, "strange");
    put("files", "exports/empty.csv", new byte[0], "text/csv");
    put("files", "exports/other.csv", "other".getBytes(UTF_8), "text/csv");
    put("records", "rejects/wf-1-0-invalid.ndjson", "{}\n".getBytes(UTF_8), "application/x-ndjson");
    put("records", "records/wf-1-0", "{}\n".getBytes(UTF_8), "application/x-ndjson");
    put("secrets", "key", "secret".getBytes(UTF_8), "text/plain");
    task(
        "task-1",
        Json.object()
            .put("html", "s3://files/reports/task-1.html")
            .put("pdf", "s3://files/reports/task-1.pdf")
            .put("htmlUrl", "http://127.0.0.1:9000/files/reports/task-1.html?X-Amz-Signature=1"));
    task(
        "task-2",
        Json.object()
            .put("object", "s3://files/exports/large.bin")
            .put("empty", "s3://files/exports/empty.csv")
            .put("gone", "s3://files/exports/gone.csv")
            .put("secret", "s3://secrets/key")
            .put("records", "s3://records/records/wf-1-0")
            .put("escaped", "s3://files/../secrets/key"));
    workflow(
        "wf 1/ü",
        Json.object().put("invalidObject", "s3://records/rejects/wf-1-0-invalid.ndjson"),
        Json.object().put("object", "s3://files/mine/ü x.csv"));
    server = server("", "");
  }

  private static void put(String bucket, String key, byte[] bytes, String type) {
    blobs.put(bucket, key, bytes, type, Map.of());
  }

  private static void task(String id, ObjectNode result) {
    redis.call(
        Command.HSET,
        "task:" + id,
        "taskId",
        id,
        "type",
        "data_export",
        "status",
        "completed",
        "createdAt",
        "2026-01-04T01:00:00Z",
        "result",
        Json.text(result));
  }

  private static void workflow(String id, ObjectNode... results) {
    redis.call(
        Command.HSET,
        "workflow:" + id,
        "workflowId",
        id,
        "name",
        "n",
        "status",
        "completed",
        "steps",
        "[\"validate\",\"export\"]",
        "createdAt",
        "2026-01-04T01:00:00Z");
    for (int i = 0; i < results.length; i++) {
      var step = Json.object().put("stepIndex", i);
      step.set("result", results[i]);
      redis.call(Command.HSET, "workflow:" + id, "step:" + i, Json.text(step));
    }
  }

  private static ResultFiles files(String url, String path) {
    return new ResultFiles(
        List.of("s3://files/", "s3://records/rejects/"), new PublicUrl(url, new BasePath(path)));
  }

  private static RunningServer server(String path, String key) {
    var routes =
        new ResultFileRoutes(
            store(ExecutionKind.WORKFLOW),
            store(ExecutionKind.TASK),
            files("", path),
            new FileDownload(blobs));
    var shown =
        Route.get(
            "/api/tasks/{id}",
            request -> {
              var id = request.pathParam("id");
              var record = store(ExecutionKind.TASK).find(id).orElseThrow();
              return Response.ok(
                  files("", path).show(ExecutionKind.TASK, id, ExecutionRecords.task(record)));
            });
    var crawls =
        new CrawlFileRoutes(
            new CrawlStore(redis, Duration.ofDays(1), CLOCK),
            new FileDownload(blobs),
            "crawled",
            new PublicUrl("", new BasePath(path)));
    var all =
        Stream.of(routes.routes(), crawls.routes(), List.of(shown))
            .flatMap(List::stream)
            .toArray(Route[]::new);
    var keys = key.isEmpty() ? List.<String>of() : List.of("viewer:wall:" + key);
    return RunningServer.with(RunningServer.under(path), RunningServer.api(keys), CLOCK, all);
  }

  private static ExecutionStore store(ExecutionKind kind) {
    var settings = Wiring.settings(redisServer.address(), List.of());
    return new ExecutionStore(redis, kind, settings.section(WorkflowsConfig.class), CLOCK);
  }

  @AfterAll
  static void stop() {
    server.close();
    blobs.close();
    redis.close();
    redisServer.close();
    s3.close();
  }

  private static HttpResponse<byte[]> ask(String method, URI uri, String... headers)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody());
    if (headers.length > 0) request.headers(headers);
    return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static HttpResponse<byte[]> get(String path, String... headers)
      throws IOException, InterruptedException {
    return ask("GET", URI.create(server.server.url() + path), headers);
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void aReportOpensInTheBrowserAndCanDoNothingThere() throws Exception {
    var page = get("/api/tasks/task-1/files/task-1.html");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).asString(UTF_8).isEqualTo(PAGE);
    assertThat(header(page, "Content-Type")).isEqualTo("text/html;charset=utf-8");
    assertThat(header(page, "Content-Disposition")).isEqualTo("inline; filename=\"task-1.html\"");
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(page, "Content-Security-Policy"))
        .startsWith("sandbox ")
        .contains("default-src 'none'")
        .doesNotContain("allow-scripts", "allow-same-origin", "script-src");
    var print = get("/api/tasks/task-1/files/task-1.pdf");
    assertThat(header(print, "Content-Type")).isEqualTo("application/pdf");
    assertThat(header(print, "Content-Disposition")).startsWith("inline");
  }

  @Test
  void aFileOfAStepIsDownloadedWhateverItsNameAndIdAre() throws Exception {
    var csv = get("/api/workflows/wf%201%2F%C3%BC/steps/1/files/%C3%BC%20x.csv");

    assertThat(csv.statusCode()).isEqualTo(200);
    assertThat(csv.body()).asString(UTF_8).isEqualTo("a\r\n1\r\n");
    assertThat(header(csv, "Content-Disposition"))
        .isEqualTo("attachment; filename=\"__x.csv\"; filename*=UTF-8''%C3%BC%20x.csv");
    var rejected = get("/api/workflows/wf%201%2F%C3%BC/steps/0/files/wf-1-0-invalid.ndjson");
    assertThat(rejected.statusCode()).isEqualTo(200);
    assertThat(get("/api/workflows/wf%201%2F%C3%BC/steps/0/files/%C3%BC%20x.csv").statusCode())
        .isEqualTo(404);
  }

  @Test
  void aFileComesWholeOrInParts() throws Exception {
    var path = "/api/tasks/task-2/files/large.bin";

    var whole = get(path);
    assertThat(whole.body()).isEqualTo(LARGE);
    assertThat(header(whole, "Content-Type")).isEqualTo("application/octet-stream");
    assertThat(header(whole, "Content-Length")).isEqualTo("3000000");
    assertThat(header(whole, "Accept-Ranges")).isEqualTo("bytes");
    var part = get(path, "Range", "bytes=1000000-1999999");
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(header(part, "Content-Range")).isEqualTo("bytes 1000000-1999999/3000000");
    assertThat(part.body()).isEqualTo(Arrays.copyOfRange(LARGE, 1_000_000, 2_000_000));
    assertThat(get(path, "Range", "bytes=-10").body())
        .isEqualTo(Arrays.copyOfRange(LARGE, 2_999_990, 3_000_000));
    var beyond = get(path, "Range", "bytes=3000000-");
    assertThat(beyond.statusCode()).isEqualTo(416);
    assertThat(header(beyond, "Content-Range")).isEqualTo("bytes */3000000");
    assertThat(get("/api/tasks/task-2/files/empty.csv").body()).isEmpty();
  }

  @Test
  void whoHasAFileIsNotSentItAgain() throws Exception {
    var path = "/api/tasks/task-2/files/large.bin";
    var etag = header(get(path), "ETag");

    assertThat(etag).matches("\"[^\"]+\"");
    var known = get(path, "If-None-Match", etag);
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
    assertThat(header(known, "ETag")).isEqualTo(etag);
    assertThat(get(path, "Range", "bytes=0-9", "If-Range", etag).statusCode()).isEqualTo(206);
    assertThat(get(path, "Range", "bytes=0-9", "If-Range", "\"older\"").body()).isEqualTo(LARGE);
  }

  @Test
  void aHeadHasTheHeadersAlone() throws Exception {
    var uri = URI.create(server.server.url() + "/api/tasks/task-2/files/large.bin");

    var head = ask("HEAD", uri);

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Length")).isEqualTo("3000000");
    assertThat(header(head, "ETag")).isNotEmpty();
    assertThat(head.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/tasks/task-2/files/key", // not in a bucket of ours
        "/api/tasks/task-2/files/wf-1-0", // records on their way
        "/api/tasks/task-2/files/other.csv", // ours, but not this task's
        "/api/tasks/task-1/files/large.bin",
        "/api/tasks/task-2/files/gone.csv",
        "/api/tasks/none/files/large.bin",
        "/api/tasks/task-2/files/..%2F..%2Fsecrets%2Fkey",
        "/api/tasks/task-2/files/%2Fetc%2Fpasswd",
        "/api/workflows/wf%201%2F%C3%BC/steps/-1/files/%C3%BC%20x.csv",
        "/api/workflows/wf%201%2F%C3%BC/steps/x/files/%C3%BC%20x.csv",
      })
  void onlyWhatTheRecordNamesIsRead(String path) throws Exception {
    var answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/api/tasks/task-2/files/../files/large.bin", "/api/tasks/task-2/files/%2e%2e"})
  void dotSegmentsAreRefused(String path) throws Exception {
    try (var raw = server.raw()) {
      raw.say("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

      assertThat(raw.rest()).startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void aRecordShowsItsFilesWithLinksAlsoWhenItIsOld() throws Exception {
    var shown = Json.parse(get("/api/tasks/task-1").body());

    assertThat(Json.text(shown.path("files")))
        .isEqualTo(
            "[{\"name\":\"task-1.html\",\"url\":\"/api/tasks/task-1/files/task-1.html\",\"field\":\"html\"},"
                + "{\"name\":\"task-1.pdf\",\"url\":\"/api/tasks/task-1/files/task-1.pdf\",\"field\":\"pdf\"}]");
    var record = Json.object();
    record
        .putArray("results")
        .addObject()
        .set("result", Json.object().put("object", "s3://files/a/b.csv"));
    var known = files("https://ops.example.org", "/tidemill");
    assertThat(known.show(ExecutionKind.WORKFLOW, "wf-1", record).at("/files/0/url").asString())
        .isEqualTo("https://ops.example.org/tidemill/api/workflows/wf-1/steps/0/files/b.csv");
  }

  @Test
  void theBatchesOfACrawlAreListedAndRead() throws Exception { // C5.7
    redis.call(
        Command.HSET,
        CrawlNames.crawl("crawl-1"),
        "email",
        "a@example.org",
        "option:project",
        "mills");
    blobs.createBucketIfMissing("crawled");
    for (var name : List.of("batch_001.json", "batch_000.json", "batch_1000.json", "other.txt")) {
      put("crawled", "web/mills/crawl-1/" + name, "[]".getBytes(UTF_8), "application/json");
    }

    var files = Json.parse(get("/api/crawls/crawl-1/files").body()).path("files");

    assertThat(files.valueStream().map(file -> file.path("name").asString()))
        .containsExactly("batch_000.json", "batch_001.json", "batch_1000.json");
    var batch = get(files.get(0).path("url").asString());
    assertThat(batch.statusCode()).isEqualTo(200);
    assertThat(batch.body()).asString(UTF_8).isEqualTo("[]");
    assertThat(header(batch, "Content-Disposition")).startsWith("attachment");
    for (var other :
        List.of(
            "crawl-1/files/other.txt",
            "crawl-2/files/batch_000.json",
            "crawl-1/files/batch_002.json")) {
      assertThat(get("/api/crawls/" + other).statusCode()).as(other).isEqualTo(404);
    }
    assertThat(get("/api/crawls/crawl-2/files").statusCode()).isEqualTo(404);
  }

  @Test
  void aKeyIsNeededAndAViewersIsEnough() throws Exception {
    try (var keyed = server("", KEY)) {
      var uri = URI.create(keyed.server.url() + "/api/tasks/task-1/files/task-1.html");

      assertThat(ask("GET", uri).statusCode()).isEqualTo(401);
      assertThat(ask("GET", uri, "X-Api-Key", KEY).body()).asString(UTF_8).isEqualTo(PAGE);
    }
  }

  @Test
  void aBrowserWithoutASessionIsLedToTheDashboardWhichGoesOn() throws Exception {
    try (var keyed = server("/tidemill", KEY)) {
      var uri = URI.create(keyed.server.url() + "/tidemill/api/tasks/task-1/files/task-1.html");

      var sent = ask("GET", uri, "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");

      assertThat(sent.statusCode()).isEqualTo(303);
      assertThat(header(sent, "Location"))
          .isEqualTo("/tidemill/#/open?path=%2Fapi%2Ftasks%2Ftask-1%2Ffiles%2Ftask-1.html");
    }
  }

  @Test
  void aMissingStoreIsSaid() throws Exception {
    try (var lost = new ObjectStore(new S3Config("http://127.0.0.1:1", "key", "secret"));
        var unset = new ObjectStore(new S3Config("", "key", "secret"))) {
      for (var store : List.of(lost, unset)) {
        var routes =
            new ResultFileRoutes(
                store(ExecutionKind.WORKFLOW),
                store(ExecutionKind.TASK),
                files("", ""),
                new FileDownload(store));
        try (var alone = RunningServer.with(routes.routes().toArray(Route[]::new))) {
          var answer = alone.get("/api/tasks/task-1/files/task-1.html");

          assertThat(answer.statusCode()).isEqualTo(503);
          assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
      }
    }
  }

  @Test
  void linksWorkUnderAPathOfNginx(@TempDir Path own) throws Exception {
    try (var keyed = server("/tidemill", KEY);
        var nginx = Nginx.underPath(keyed.server.port(), own)) {
      var task = URI.create(nginx.url() + "/tidemill/api/tasks/task-1");
      var shown = Json.parse(ask("GET", task, "X-Api-Key", KEY).body());
      var link = task.resolve(shown.at("/files/0/url").asString());

      assertThat(link.getPath()).isEqualTo("/tidemill/api/tasks/task-1/files/task-1.html");
      assertThat(ask("GET", link, "X-Api-Key", KEY).body()).asString(UTF_8).isEqualTo(PAGE);
      var large = task.resolve("task-2/files/large.bin");
      assertThat(ask("GET", large, "X-Api-Key", KEY).body()).isEqualTo(LARGE);
      assertThat(ask("GET", large, "X-Api-Key", KEY, "Range", "bytes=5-9").body())
          .isEqualTo(Arrays.copyOfRange(LARGE, 5, 10));
    }
  }
}
