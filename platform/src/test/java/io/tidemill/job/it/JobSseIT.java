package io.tidemill.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.SseClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Followers of jobs: none misses an event, none sees one twice, however they come and go (C3.6).
class JobSseIT {
  private static JobPlatform platform;
  private static Resp redis;

  @BeforeAll
  static void start() {
    platform = JobPlatform.whole("jobs.heartbeat=300ms", "http.sse-stall=1m", "worker.lease=1m");
    redis = platform.resp();
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  private static SseClient follow(String id, String lastEventId) throws IOException {
    return new SseClient(platform.gateway().port(), "/v1/jobs/" + id + "/events", lastEventId);
  }

  private static List<String> eventIds(String id) {
    return redis.stream("job:" + id + ":events").stream().map(Resp.Entry::id).toList();
  }

  @Test
  void replaysAFinishedJobInTheStandardsFormAndEnds() throws IOException { // C3.6
    var id = platform.submit("report", "{}");
    platform.awaitEnd(id);

    try (var reader = follow(id, null)) {
      var hello = reader.next();
      reader.rest();

      assertThat(reader.head)
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("Content-Type: text/event-stream")
          .containsIgnoringCase("Cache-Control: no-cache");
      assertThat(hello.id()).isNull();
      assertThat(Json.parse(hello.data()).get("job_id").stringValue()).isEqualTo(id);
      var expected = new StringBuilder("event: hello\ndata: ").append(hello.data()).append("\n\n");
      for (var entry : redis.stream("job:" + id + ":events")) {
        var fields = entry.fields();
        var data =
            "{\"id\":\"%s\",\"type\":\"%s\",\"ts\":%s,\"step\":\"%s\",\"data\":%s}"
                .formatted(
                    entry.id(),
                    fields.get("type"),
                    fields.get("ts"),
                    fields.get("step"),
                    fields.get("data"));
        expected.append("id: ").append(entry.id()).append("\nevent: ").append(fields.get("type"));
        expected.append("\ndata: ").append(data).append("\n\n");
      }
      assertThat(reader.raw().replaceFirst("^:[^\n]*\n\n", "")).isEqualTo(expected.toString());
    }
  }

  @Test
  void aReaderThatHasSeenTheEndGets204() throws IOException { // C3.6
    var id = platform.submit("echo", "{}");
    platform.awaitEnd(id);
    var ids = eventIds(id);

    for (var seen : List.of(ids.getLast(), "9999999999999-0")) {
      try (var reader = follow(id, seen)) {
        assertThat(reader.status()).as(seen).isEqualTo(204);
      }
    }
    try (var reader = follow(id, ids.get(1))) {
      assertThat(reader.rest()).extracting(SseClient.Event::type).containsExactly("hello", "done");
    }
  }

  @Test
  void aReaderFromTheFutureSeesTheEndAndBlocksNoOther(@TempDir Path dir)
      throws IOException { // C3.6
    var gate = Json.object().put("entered", dir + "/in").put("go", dir + "/go");
    var id = platform.submit("gate", gate.toString());
    try (var future = follow(id, "9999999999999-0");
        var other = follow(id, null)) {
      assertThat(future.next().type()).isEqualTo("hello");
      assertThat(other.next().type()).isEqualTo("hello");
      Files.createFile(dir.resolve("go"));

      assertThat(other.rest()).extracting(SseClient.Event::type).endsWith("done");
      assertThat(future.rest()).extracting(SseClient.Event::type).endsWith("done");
    }
  }

  @Test
  void refusesALastEventIdThatIsNone() { // C3.6
    var id = platform.submit("echo", "{}");

    for (var bad :
        List.of("x", "1", "1-", "-1", "1-2-3", "*", "$", "+", "99999999999999999999-0")) {
      var answer = platform.get("/v1/jobs/" + id + "/events", "Last-Event-ID", bad);
      assertThat(answer.statusCode()).as(bad).isEqualTo(400);
    }
  }

  @Test
  void aReaderThatIsThereBeforeAnyEventMissesNone() throws IOException { // C3.6
    redis.call("HSET", "job:early", "job_id", "early", "status", "queued", "ttl_s", "60");
    try (var reader = follow("early", null)) {
      assertThat(reader.next().type()).isEqualTo("hello");
      for (var type : List.of("queued", "running", "done")) {
        redis.call(
            "XADD", "job:early:events", "*", "type", type, "ts", "1", "step", "s", "data", "{}");
      }

      assertThat(reader.rest())
          .extracting(SseClient.Event::type)
          .containsExactly("queued", "running", "done");
    }
  }

  @Test
  void heartbeatsComeWhileNothingHappensAndEndWithTheJob() throws IOException { // C3.6
    redis.call("HSET", "job:quiet", "job_id", "quiet", "status", "queued", "ttl_s", "60");
    var began = System.nanoTime();
    try (var reader = follow("quiet", null)) {
      assertThat(reader.next().type()).isEqualTo("hello");
      redis.call("PEXPIRE", "job:quiet", "3000");

      assertThat(reader.rest()).isEmpty(); // the job expired

      var took = Duration.ofNanos(System.nanoTime() - began);
      assertThat(took).isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(30));
      assertThat(reader.comments()).isBetween(2, (int) (took.toMillis() / 300) + 2);
      assertThat(reader.raw()).contains(": heartbeat\n\n");
    }
  }

  @Test
  void aThousandLostConnectionsMakeNoGapAndNoRepeat() throws Exception { // C3.6, F29
    var id = platform.submit("emit", "{\"n\":3000,\"every_ms\":1}");
    var connections = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var readers = new ArrayList<Future<List<String>>>();
      for (int seed = 0; seed < 10; seed++) {
        var random = new Random(seed);
        readers.add(threads.submit(() -> readInPieces(id, random, connections)));
      }
      for (var reader : readers) {
        assertThat(reader.get()).isEqualTo(eventIds(id)).hasSize(3_003);
      }
    }
    assertThat(connections.get()).isGreaterThan(1_000);
  }

  // Every piece ends with the connection dropped, sometimes with events on the way.
  private static List<String> readInPieces(String id, Random random, AtomicInteger connections)
      throws IOException {
    var seen = new ArrayList<String>();
    while (true) {
      connections.incrementAndGet();
      try (var reader = follow(id, seen.isEmpty() ? null : seen.getLast())) {
        var most = random.nextInt(50);
        for (int i = 0; i <= most; i++) {
          var event = reader.next();
          if (event == null) return seen;
          if (event.id() != null) seen.add(event.id());
          if (event.type().equals("done")) return seen;
        }
      }
    }
  }

  @Test
  void aReaderThatDoesNotReadBlocksNoOther() throws Exception { // F30
    var id = platform.submit("emit", "{\"n\":400,\"size\":30000}");
    try (var stalled = follow(id, null);
        var other = follow(id, null)) {
      assertThat(stalled.next().type()).isEqualTo("hello");
      var began = System.nanoTime();

      var seen = other.rest();

      assertThat(seen.getLast().type()).isEqualTo("done");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
      assertThat(seen).filteredOn(event -> event.type().equals("log")).hasSize(400);
    }
  }

  @Test
  void thousandsOfReadersShareAFewConnectionsAndAllSeeTheEnd() throws Exception { // C3.6, F30
    var count = 2_000;
    var jobs = 100;
    for (int i = 0; i < jobs; i++) {
      redis.call(
          "HSET", "job:idle-" + i, "job_id", "idle-" + i, "status", "queued", "ttl_s", "600");
      redis.call(
          "XADD",
          "job:idle-" + i + ":events",
          "*",
          "type",
          "queued",
          "ts",
          "1",
          "step",
          "s",
          "data",
          "{}");
    }
    var before = heap();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var ready = new AtomicInteger();
      var readers = new ArrayList<Future<List<SseClient.Event>>>();
      for (int i = 0; i < count; i++) {
        var id = "idle-" + i % jobs;
        readers.add(
            threads.submit(() -> {
              try (var reader = follow(id, null)) {
                reader.next();
                reader.next();
                ready.incrementAndGet();
                return reader.rest();
              }
            }));
      }
      await().until(() -> ready.get() == count);

      var clients = redis.call("CLIENT", "LIST").toString().lines().count();
      assertThat(clients).isLessThan(15); // ours, the gateway's, the worker's
      assertThat(heap() - before).as("bytes for 2,000 readers").isLessThan(256L * 1024 * 1024);
      for (int i = 0; i < jobs; i++) {
        redis.call(
            "XADD",
            "job:idle-" + i + ":events",
            "*",
            "type",
            "done",
            "ts",
            "2",
            "step",
            "s",
            "data",
            "{}");
      }
      for (var reader : readers) {
        assertThat(reader.get()).extracting(SseClient.Event::type).containsExactly("done");
      }
    }
    await().untilAsserted(() -> assertThat(gauge()).isZero());
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static double gauge() {
    return platform.gateway().gauge("stream.tail.streams");
  }

  @Test
  void aRedisThatRestartsEndsStreamsAndReadersGoOnWhereTheyWere() throws Exception { // F29
    try (var own = JobPlatform.durable("jobs.heartbeat=100ms", "worker.lease=500ms")) {
      own.gateway();
      own.worker("worker.max-deliveries=50");
      var id = own.submit("emit", "{\"n\":400,\"every_ms\":5}");
      var seen = new ArrayList<String>();
      var killed = false;
      for (var ended = false; !ended; ) {
        try (var reader =
            new SseClient(
                own.gateway().port(),
                "/v1/jobs/" + id + "/events",
                seen.isEmpty() ? null : seen.getLast())) {
          for (var event = reader.next(); event != null; event = reader.next()) {
            if (event.id() != null) seen.add(event.id());
            ended = event.type().equals("done");
            if (seen.size() == 50 && !killed) {
              killed = true;
              ChildJvm.signal(own.server().pid(), "KILL");
            }
          }
        } catch (IOException cut) {
          // Comes back.
        }
      }

      try (var fresh = new Resp(own.server().port())) {
        assertThat(seen)
            .isEqualTo(fresh.stream("job:" + id + ":events").stream().map(Resp.Entry::id).toList());
      }
    }
  }
}
