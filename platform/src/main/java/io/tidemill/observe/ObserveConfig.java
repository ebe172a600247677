package io.tidemill.observe;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.net.URI;

/// Settings of traces, read from keys `observe.*`.
@Section("observe")
public record ObserveConfig(
    @Setting(
            value = "",
            doc =
                "Where spans go by OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`; empty = nowhere.")
        String otlpEndpoint,
    @Setting(value = "tidemill", doc = "The service name that spans carry.") String serviceName) {
  public ObserveConfig {
    if (!otlpEndpoint.isEmpty() && !isHttp(otlpEndpoint)) {
      throw new IllegalArgumentException(
          "observe.otlp-endpoint is '" + otlpEndpoint + "': expected an http or https URL");
    }
    if (serviceName.isBlank()) {
      throw new IllegalArgumentException("observe.service-name is empty: expected a name");
    }
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
