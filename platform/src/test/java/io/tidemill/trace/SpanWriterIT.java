package io.tidemill.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.dashboard.TraceRoutes;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.json.Json;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.TraceParent;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.servers.RedisServer;
import io.tidemill.support.Resp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What is kept of traces, what is not, and how it is found.
class SpanWriterIT {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");
  private static final long MICROS = NOW.toEpochMilli() * 1_000;
  private static final int KEPT = 5;

  @TempDir static Path folder;

  private static RedisServer server;
  private static Redis redis;
  private static Resp resp;

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final TraceStore traces = store();
  private final SpanWriter spans = new SpanWriter(traces, "host:1", metrics);

  @BeforeAll
  static void startRedis() {
    server = new RedisServer(folder, 0, "256mb", "everysec");
    server.start();
    redis = new Redis(new RedisConfig(server.address(), 2, Duration.ofSeconds(2)));
    resp = new Resp(server.port());
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
    server.close();
  }

  @AfterEach
  void empty() {
    resp.call("FLUSHALL");
  }

  private static TraceStore store() {
    var config = new ObserveConfig("", "test", 20, Duration.ofHours(1), KEPT);
    return new TraceStore(redis, config, InstantSource.fixed(NOW));
  }

  private static StoredSpan span(
      TraceParent ids, @Nullable String parent, String name, long at, String... about) {
    return new StoredSpan(
        ids.traceId(),
        ids.spanId(),
        parent,
        name,
        SpanKind.JOB.wire(),
        "worker",
        MICROS + at,
        1_000,
        name.equals("bad") ? "it broke" : null,
        Map.of("attempt", "1"),
        List.of(about));
  }

  private JsonNode ask(String target) {
    var path = target.contains("?") ? target.substring(0, target.indexOf('?')) : target;
    var isOne = path.length() > "/api/traces/".length();
    var route = new TraceRoutes(traces).routes().get(isOne ? 1 : 0);
    var request = Request.of("GET", target);
    if (isOne) {
      request = request.withPathParam("traceId", path.substring("/api/traces/".length()));
    }
    try {
      return Json.parse(((Response.Body) route.handler().handle(request)).body());
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void keepsATraceWholeAndFindsItByItsObjects() {
    var root = TraceParent.random();
    var child = root.child();
    spans.start();
    spans.accept(span(child, root.spanId(), "bad", 5_000));
    spans.accept(span(root, null, "POST /v1/jobs", 0, "job:1"));
    spans.stop();
    assertThat(traces.newest("job:1", null, 1).getFirst().isError()).isFalse(); // only a part of it
    traces.keep(List.of(span(root.child(), root.spanId(), "bad", 4_000, "job:1")), "host:2");

    var row = ask("/api/traces?object=job:1").path("traces").get(0);
    assertThat(row)
        .isEqualTo(
            Json.parse(
                """
                {"traceId":"%s","at":%d,"name":"POST /v1/jobs","spans":3,"durationMs":6,
                 "error":true,"truncated":false,"objects":["job:1"]}
                """
                    .formatted(root.traceId(), NOW.toEpochMilli())));
    var found = ask("/api/traces/" + root.traceId());
    assertThat(found.path("spans").get(0).path("parentId").isNull()).isTrue();
    assertThat(found.path("spans").get(2))
        .isEqualTo(
            Json.parse(
                """
                {"spanId":"%s","parentId":"%s","name":"bad","kind":"job","role":"worker",
                 "process":"host:1","startUs":%d,"durationUs":1000,"error":"it broke",
                 "attributes":{"attempt":"1"}}
                """
                    .formatted(child.spanId(), root.spanId(), MICROS + 5_000)));
    assertThat(ask("/api/traces?object=job:2").path("traces")).isEmpty();
    assertThatThrownBy(() -> ask("/api/traces?object=jobs")) // 422 of the pipeline
        .hasRootCauseMessage("object must be job:ID, crawl:ID, workflow:ID or task:ID");
    for (var key : List.of("trace:" + root.traceId(), "trace:of:job:1")) {
      assertThat(resp.number("TTL", key)).isBetween(3_500L, 3_600L);
    }
  }

  @Test
  void keepsTheEndOfATraceThatIsLongerThanATraceMayBe() {
    var root = TraceParent.random();
    spans.start();
    for (int i = 0; i < 2_000; i++) spans.accept(span(root.child(), root.spanId(), "visit", i));
    spans.accept(span(root, null, "finish", 2_000_000, "crawl:1"));
    spans.stop();

    var found = traces.find(root.traceId()).orElseThrow();
    assertThat(found.spans()).hasSize(TraceStore.MOST_PLAIN + 1);
    assertThat(found.spans().getLast().path("name").asString("")).isEqualTo("finish");
    assertThat(found.isTruncated()).isTrue();
    assertThat(traces.newest(null, null, 10).getFirst().isTruncated()).isTrue();
  }

  @Test
  void saysThatSpansAreMissingHoweverTheyCame() {
    var root = TraceParent.random();
    for (int i = 0; i < TraceStore.MOST_PLAIN; i += 50) {
      var some = new ArrayList<StoredSpan>();
      for (int j = 0; j < 50; j++) some.add(span(root.child(), root.spanId(), "visit", i + j));
      assertThat(traces.keep(some, "p")).isFalse();
    }
    assertThat(traces.find(root.traceId()).orElseThrow().isTruncated()).isFalse();

    var isFull = traces.keep(List.of(span(root.child(), root.spanId(), "visit", 1_000)), "p");

    assertThat(isFull).isTrue();
    assertThat(traces.find(root.traceId()).orElseThrow().isTruncated()).isTrue();
  }

  @Test
  void forgetsTheOldestTracesWithEverythingOfThem() {
    for (int i = 0; i < KEPT + 3; i++) {
      traces.keep(List.of(span(TraceParent.random(), null, "trace " + i, i, "job:" + i)), "p");
    }

    assertThat(traces.newest(null, null, 100))
        .extracting(TraceStore.Row::name)
        .containsExactly("trace 7", "trace 6", "trace 5", "trace 4", "trace 3");
    assertThat(traces.newest("job:0", null, 10)).isEmpty();
    assertThat(resp.number("EXISTS", "trace:of:job:0", "trace:of:job:1", "trace:of:job:2"))
        .isZero();
    assertThat(resp.number("EXISTS", "trace:of:job:3", "trace:of:job:7")).isEqualTo(2);
    assertThat(resp.number("HLEN", "traces:sizes")).isEqualTo(KEPT + 1);
    assertThat(resp.hash("traces:sizes")).containsEntry("", String.valueOf(KEPT));
  }

  @Test
  void pagesThroughTracesOfTheSameMicrosecond() {
    for (int i = 0; i < KEPT; i++) {
      traces.keep(List.of(span(TraceParent.random(), null, "same", 0)), "p");
    }

    var first = ask("/api/traces?limit=2");
    var second = ask("/api/traces?limit=2&before=" + first.path("next").asString(""));
    var third = ask("/api/traces?limit=2&before=" + second.path("next").asString(""));

    assertThat(third.has("next")).isFalse();
    assertThat(List.of(first, second, third))
        .flatExtracting(page -> page.path("traces").findValuesAsString("traceId"))
        .hasSize(KEPT)
        .doesNotHaveDuplicates();
  }

  @Test
  void dropsAndCountsWhatRedisDoesNotTake() {
    var away = new Redis(new RedisConfig("redis://127.0.0.1:1", 1, Duration.ofMillis(100)));
    var config = ObserveConfig.standard();
    var lost = new SpanWriter(new TraceStore(away, config, InstantSource.fixed(NOW)), "p", metrics);
    lost.start();
    for (int i = 0; i < 20_000; i++) lost.accept(span(TraceParent.random(), null, "lost", i));

    await()
        .until(() -> metrics.get("traces.spans").tag("end", "dropped").counter().count() > 9_000);

    assertThat(metrics.get("traces.spans").tag("end", "kept").counter().count()).isZero();
    lost.stop();
    away.close();
  }
}
