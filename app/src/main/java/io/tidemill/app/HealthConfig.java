package io.tidemill.app;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// Where a process without the gateway tells how it is, read from keys `health.*`.
@Section("health")
public record HealthConfig(
    @Setting(
            value = "0",
            doc =
                "Port of a process without the gateway, for health and metrics; 0 = any free one. `http.port` is the gateway's, unless `-s` gives it to another process.")
        int port) {
  public HealthConfig {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("health.port is " + port + ": expected 0 to 65535");
    }
  }
}
