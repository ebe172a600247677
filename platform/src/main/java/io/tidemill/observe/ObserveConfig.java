package io.tidemill.observe;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.net.URI;
import java.time.Duration;

/// Settings of traces, read from keys `observe.*`.
@Section("observe")
public record ObserveConfig(
    @Setting(
            value = "",
            doc =
                "Where spans go by OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`; empty = nowhere.")
        String otlpEndpoint,
    @Setting(value = "tidemill", doc = "The service name that spans carry.") String serviceName,
    @Setting(
            value = "20",
            doc =
                "New traces that a process records each second, for our own pages and for OTLP alike; the rest have ids only. 0 = none.")
        int tracesPerSecond,
    @Setting(value = "24h", doc = "How long the spans of a trace are kept after its last one.")
        Duration traceKeep,
    @Setting(
            value = "10000",
            doc =
                "Traces that are kept; beyond it, or beyond 20 times as many spans, the oldest go.")
        int tracesKept) {
  public ObserveConfig {
    if (tracesPerSecond < 0 || tracesPerSecond > 100_000) {
      throw new IllegalArgumentException(
          "observe.traces-per-second is " + tracesPerSecond + ": expected 0 to 100000");
    }
    if (traceKeep.compareTo(Duration.ofMinutes(1)) < 0) {
      throw new IllegalArgumentException(
          "observe.trace-keep is " + traceKeep + ": expected at least a minute");
    }
    if (tracesKept < 1) {
      throw new IllegalArgumentException(
          "observe.traces-kept is " + tracesKept + ": expected 1 or more");
    }
    if (!otlpEndpoint.isEmpty() && !isHttp(otlpEndpoint)) {
      throw new IllegalArgumentException(
          "observe.otlp-endpoint is '" + otlpEndpoint + "': expected an http or https URL");
    }
    if (serviceName.isBlank()) {
      throw new IllegalArgumentException("observe.service-name is empty: expected a name");
    }
  }

  /// The defaults: no OTLP.
  public static ObserveConfig standard() {
    return new ObserveConfig("", "tidemill", 20, Duration.ofHours(24), 10_000);
  }

  private static boolean isHttp(String text) {
    try {
      var uri = URI.create(text);
      return uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
