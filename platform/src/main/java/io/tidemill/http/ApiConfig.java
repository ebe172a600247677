package io.tidemill.http;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.util.List;

/// Settings of access, read from keys `api.*`.
@Section("api")
public record ApiConfig(
    @Setting(
            value = "",
            doc =
                "Keys that callers must show; empty = no keys, allowed only while `http.host` is loopback.",
            secret = true)
        List<String> keys) {
  public ApiConfig {
    keys = List.copyOf(keys);
    if (keys.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("api.keys has an empty key: expected text");
    }
  }

  @Override
  public String toString() {
    return "ApiConfig[" + keys.size() + " keys]";
  }
}
