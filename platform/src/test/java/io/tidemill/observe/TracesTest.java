package io.tidemill.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TracesTest {
  @Test
  void spansNestAndEndWithTheirBody() {
    try (var traces = new Traces(new ObserveConfig("", "test"))) {
      traces.inSpan(
          "outer",
          null,
          () -> {
            var outer = Traces.current().orElseThrow();
            var inner = traces.inSpan("inner", null, () -> Traces.current().orElseThrow());
            assertThat(inner.traceId()).isEqualTo(outer.traceId());
            assertThat(inner.spanId()).isNotEqualTo(outer.spanId());
            return outer;
          });
    }
    assertThat(Traces.current()).isEmpty();
  }

  @Test
  void aBodysExceptionPassesAsItIs() {
    try (var traces = new Traces(new ObserveConfig("", "test"))) {
      assertThatThrownBy(() -> traces.inSpan("fails", null, TracesTest::fail))
          .hasMessage("as it is");
    }
  }

  @Test
  void startsNoThreadWithoutAnEndpoint() {
    try (var traces = new Traces(new ObserveConfig("", "test"))) {
      var before = Thread.getAllStackTraces().keySet();
      traces.inSpan("quiet", null, () -> "");

      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !before.contains(thread))
          .noneMatch(thread -> thread.getName().contains("Span"));
    }
  }

  @Test
  void exportsSpansWhenSomebodyListens() throws Exception {
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

    try (var traces = new Traces(new ObserveConfig(endpoint, "mill"))) {
      var span = traces.inSpan("work", parent.toString(), () -> Traces.current().orElseThrow());
      assertThat(span.traceId()).isEqualTo(parent.traceId());
    } finally {
      var spans = received.poll(5, TimeUnit.SECONDS);
      listener.stop(0);
      assertThat(spans).contains("work", "mill");
    }
  }

  @Test
  void refusesAnEndpointThatIsNoUrl() {
    assertThatThrownBy(() -> new ObserveConfig("collector", "test"))
        .hasMessage("observe.otlp-endpoint is 'collector': expected an http or https URL");
  }

  private static String fail() throws IOException {
    throw new IOException("as it is");
  }
}
