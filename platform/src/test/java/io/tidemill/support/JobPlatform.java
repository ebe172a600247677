package io.tidemill.support;

import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// A real Redis, a gateway before it and workers behind it, all of this test's own.
public final class JobPlatform implements AutoCloseable {
  /// A role that can be stopped.
  public interface Part extends AutoCloseable {
    @Override
    void close();
  }

  private final Path folder = folder();
  private final RedisServer server;
  private final String[] overrides;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger workers = new AtomicInteger();
  private final Resp resp;
  private TestGateway gateway;

  private JobPlatform(String maxMemory, String appendFsync, String... overrides) {
    this.overrides = overrides;
    server = new RedisServer(folder, 0, maxMemory, appendFsync);
    server.start();
    resp = new Resp(server.port());
  }

  /// Redis alone.
  public static JobPlatform redis(String... overrides) {
    return new JobPlatform("256mb", "everysec", overrides);
  }

  /// Redis alone, and only so large.
  public static JobPlatform smallRedis(String maxMemory, String... overrides) {
    return new JobPlatform(maxMemory, "everysec", overrides);
  }

  /// Redis alone, with every write on disk before it is answered.
  public static JobPlatform durable(String... overrides) {
    return new JobPlatform("256mb", "always", overrides);
  }

  /// Redis, a gateway and a worker.
  public static JobPlatform whole(String... overrides) {
    var platform = redis(overrides);
    platform.gateway();
    platform.worker();
    return platform;
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("tidemill-test");
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
  }

  public RedisServer server() {
    return server;
  }

  /// A raw connection; for the test's own thread.
  public Resp resp() {
    return resp;
  }

  public TestGateway gateway() {
    if (gateway == null) {
      gateway = new TestGateway(server.address(), overrides);
      parts.push(gateway);
    }
    return gateway;
  }

  public TestWorker worker(String... more) {
    return workerAt(server.address(), more);
  }

  public TestWorker workerAt(String redisUrl, String... more) {
    var all = new java.util.ArrayList<>(List.of(overrides));
    all.addAll(List.of(more));
    var worker =
        new TestWorker(redisUrl, "worker-" + workers.incrementAndGet(), all.toArray(String[]::new));
    parts.push(worker);
    return worker;
  }

  /// Stops a worker before the end of the test.
  public void stop(Part part) {
    parts.remove(part);
    part.close();
  }

  public HttpResponse<String> post(String path, String body, String... headers) {
    var request = HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(body));
    request.header("Content-Type", "application/json");
    if (headers.length > 0) request.headers(headers);
    return send(request.build());
  }

  public HttpResponse<String> get(String path, String... headers) {
    var request = HttpRequest.newBuilder(uri(path));
    if (headers.length > 0) request.headers(headers);
    return send(request.build());
  }

  private URI uri(String path) {
    return URI.create("http://localhost:" + gateway().port() + path);
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  /// Submits a job of the task `tool` and returns its id.
  public String submit(String tool, String arguments) {
    return submitBody(
        "{\"task\":\"tool\",\"payload\":{\"name\":\"%s\",\"arguments\":%s}}"
            .formatted(tool, arguments));
  }

  public String submitBody(String body, String... headers) {
    var answer = post("/v1/jobs", body, headers);
    if (answer.statusCode() != 202) throw new AssertionError(answer + ": " + answer.body());
    return Json.parse(answer.body()).get("job_id").stringValue();
  }

  /// The job's record as clients see it.
  public JsonNode job(String id) {
    return Json.parse(get("/v1/jobs/" + id).body());
  }

  /// Waits for the job's end and returns its record.
  public JsonNode awaitEnd(String id) {
    awaitStatus(id, "done", "error", "canceled");
    return job(id);
  }

  public void awaitStatus(String id, String... statuses) {
    await("job " + id)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> status(id), List.of(statuses)::contains);
  }

  /// The status in the hash, by a connection of its own.
  public String status(String id) {
    try (var own = new Resp(server.port())) {
      return String.valueOf(own.call("HGET", "job:" + id, "status"));
    }
  }

  /// Waits until every entry of the queue is acknowledged.
  public void awaitNothingPending() {
    await("nothing pending")
        .pollInterval(Duration.ofMillis(5))
        .until(this::pending, pending -> pending == 0);
  }

  /// Lets every entry look as if nobody had been heard of for an hour, which ends any lease.
  public void leasesRunOut() {
    for (var one : Resp.list(resp.call("XPENDING", "jobs:stream", "workers", "-", "+", "100"))) {
      var entry = Resp.list(one);
      resp.call(
          "XCLAIM",
          "jobs:stream",
          "workers",
          entry.get(1),
          "0",
          entry.getFirst(),
          "IDLE",
          "3600000",
          "JUSTID");
    }
  }

  /// Entries that were delivered and not acknowledged, those not delivered yet, and jobs in line.
  public long pending() {
    try (var own = new Resp(server.port())) {
      var inLine = own.number("HLEN", "jobs:stream:waiting");
      for (var group : Resp.list(own.call("XINFO", "GROUPS", "jobs:stream"))) {
        var info = Resp.list(group);
        if (!"workers".equals(info.get(info.indexOf("name") + 1))) continue;
        // Not by `lag`, which Redis does not always know after a restart.
        var last = info.get(info.indexOf("last-delivered-id") + 1);
        var undelivered = Resp.list(own.call("XRANGE", "jobs:stream", "(" + last, "+")).size();
        return (Long) info.get(info.indexOf("pending") + 1) + undelivered + inLine;
      }
      return inLine;
    }
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) parts.pop().close();
    http.close();
    resp.close();
    server.close();
    delete();
  }

  private void delete() {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    } catch (IOException busy) {
      throw new UncheckedIOException(busy);
    }
  }
}
