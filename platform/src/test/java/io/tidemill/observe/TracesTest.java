package io.tidemill.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidemill.support.SpanConsumer;
import io.tidemill.trace.StoredSpan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TracesTest {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");

  @Test
  void spansNestAndEndWithTheirBody() {
    try (var traces = new Traces(ObserveConfig.standard())) {
      traces.inSpan(
          SpanKind.JOB,
          "outer",
          null,
          () -> {
            var outer = Traces.current().orElseThrow();
            var inner =
                traces.inSpan(SpanKind.JOB, "inner", null, () -> Traces.current().orElseThrow());
            assertThat(inner.traceId()).isEqualTo(outer.traceId());
            assertThat(inner.spanId()).isNotEqualTo(outer.spanId());
            return outer;
          });
    }
    assertThat(Traces.current()).isEmpty();
  }

  @Test
  void aBodysExceptionPassesAsItIs() {
    try (var traces = new Traces(ObserveConfig.standard())) {
      assertThatThrownBy(() -> traces.inSpan(SpanKind.JOB, "fails", null, TracesTest::fail))
          .hasMessage("as it is");
    }
  }

  @Test
  void startsNoThreadWithoutAnEndpoint() {
    try (var traces = new Traces(ObserveConfig.standard())) {
      var before = Thread.getAllStackTraces().keySet();
      traces.inSpan(SpanKind.JOB, "quiet", null, () -> "");

      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !before.contains(thread))
          .noneMatch(thread -> thread.getName().contains("Span"));
    }
  }

  @Test
  void exportsSpansToAnEndpoint() throws Exception {
    var received = new LinkedBlockingQueue<String>();
    var listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    listener.createContext(
        "/v1/traces",
        exchange -> {
          try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            received.add(new String(body, StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
          }
        });
    listener.start();
    var endpoint = "http://127.0.0.1:" + listener.getAddress().getPort() + "/v1/traces";
    var parent = TraceParent.random();

    try (var traces =
        new Traces(new ObserveConfig(endpoint, "mill", 20, Duration.ofHours(1), 10))) {
      var span =
          traces.inSpan(
              SpanKind.JOB, "work", parent.toString(), () -> Traces.current().orElseThrow());
      assertThat(span.traceId()).isEqualTo(parent.traceId());
    } finally {
      var spans = received.poll(5, TimeUnit.SECONDS);
      listener.stop(0);
      assertThat(spans).contains("work", "mill");
    }
  }

  @Test
  void recordsWhatHappensInASpan() {
    var seen = new CopyOnWriteArrayList<StoredSpan>();
    try (var traces = traces(20, seen)) {
      var worker = traces.of("worker");
      worker.inSpan(
          SpanKind.JOB,
          "job",
          null,
          () -> {
            Traces.about("job", "1");
            Traces.note("attempt", 2);
            return Traces.part(SpanKind.S3, "put", "key", () -> Traces.header());
          });
    }

    assertThat(seen).extracting(StoredSpan::name).containsExactly("put key", "job");
    var job = seen.getLast();
    assertThat(job.parentId()).isNull();
    assertThat(job.role()).isEqualTo("worker");
    assertThat(job.objects()).containsExactly("job:1");
    assertThat(job.attributes()).containsExactly(Map.entry("attempt", "2"));
    assertThat(job.startMicros()).isEqualTo(NOW.toEpochMilli() * 1_000);
    var put = seen.getFirst();
    assertThat(put.parentId()).isEqualTo(job.spanId());
    assertThat(put.traceId()).isEqualTo(job.traceId());
    assertThat(put.kind()).isEqualTo(SpanKind.S3.wire());
    assertThat(put.startMicros()).isGreaterThanOrEqualTo(job.startMicros());
  }

  @Test
  void recordsNoMoreNewTracesThanAllowed() {
    var seen = new CopyOnWriteArrayList<StoredSpan>();
    try (var traces = traces(3, seen)) {
      for (int i = 0; i < 10; i++) {
        var header = traces.inRequest("POST /", null, true, Traces::header);
        assertThat(header).endsWith(seen.size() == i + 1 ? "-01" : "-00");
      }
      // What the client says counts against the same.
      traces.inRequest("POST /", TraceParent.random().toString(), true, () -> "");
    }

    assertThat(seen).hasSize(3);
  }

  @Test
  void theSampledFlagDecidesDownstream() {
    var seen = new CopyOnWriteArrayList<StoredSpan>();
    var parent = TraceParent.random();
    try (var traces = traces(0, seen)) {
      traces.inSpan(SpanKind.KAFKA, "sampled", parent.toString(), () -> "");
      traces.inSpan(
          SpanKind.KAFKA,
          "not",
          parent.toString().replace("-01", "-00"),
          () -> Traces.part(SpanKind.S3, "neither", () -> ""));
      traces.passed(SpanKind.INDEX, "page", parent.toString(), System.nanoTime(), "full");
      traces.inSpan(SpanKind.KAFKA, "new", null, () -> "");
    }

    assertThat(seen).extracting(StoredSpan::name).containsExactly("sampled", "page");
    assertThat(seen).extracting(StoredSpan::parentId).containsOnly(parent.spanId());
    assertThat(seen.getLast().error()).isEqualTo("full");
  }

  @Test
  void readsBeginNoTraceUnlessTheClientAsks() {
    var seen = new CopyOnWriteArrayList<StoredSpan>();
    try (var traces = traces(20, seen)) {
      traces.inRequest("GET /", null, false, () -> "");
      traces.inRequest("GET /asked", TraceParent.random().toString(), false, () -> "");
    }

    assertThat(seen).extracting(StoredSpan::name).containsExactly("GET /asked");
  }

  @Test
  void aSpanIsBounded() {
    var seen = new CopyOnWriteArrayList<StoredSpan>();
    try (var traces = traces(20, seen)) {
      assertThatThrownBy(() ->
              traces.inSpan(
                  SpanKind.FETCH,
                  "x".repeat(10_000),
                  null,
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      Traces.note("key" + i, "v".repeat(10_000));
                      Traces.about("job", "" + i);
                    }
                    throw new IOException("😀".repeat(1_000));
                  }))
          .isInstanceOf(IOException.class);
    }

    var span = seen.getFirst();
    assertThat(span.name()).hasSize(ActiveSpan.LONGEST_NAME).endsWith("…");
    assertThat(span.attributes()).hasSize(ActiveSpan.MOST_ATTRIBUTES);
    assertThat(span.attributes().get("key0")).hasSize(ActiveSpan.LONGEST_VALUE);
    assertThat(span.objects()).hasSize(ActiveSpan.MOST_OBJECTS);
    assertThat(span.error()).startsWith("IOException: 😀").endsWith("😀…");
    assertThat(span.error()).hasSizeLessThanOrEqualTo(ActiveSpan.LONGEST_ERROR);
  }

  @Test
  void dropsADismissedSpan() {
    var seen = new CopyOnWriteArrayList<StoredSpan>();
    try (var traces = traces(20, seen)) {
      traces.inSpan(
          SpanKind.STEP,
          "look",
          null,
          () -> {
            Traces.dismiss();
            return "";
          });
    }

    assertThat(seen).isEmpty();
  }

  private static Traces traces(int perSecond, List<StoredSpan> seen) {
    var config = new ObserveConfig("", "test", perSecond, Duration.ofHours(1), 10);
    return new Traces(config, new SpanConsumer(seen::add), InstantSource.fixed(NOW));
  }

  @Test
  void refusesAnEndpointThatIsNoUrl() {
    assertThatThrownBy(() -> new ObserveConfig("collector", "test", 20, Duration.ofHours(1), 10))
        .hasMessage("observe.otlp-endpoint is 'collector': expected an http or https URL");
  }

  private static String fail() throws IOException {
    throw new IOException("as it is");
  }
}
