package io.tidemill.bench;

import io.tidemill.config.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Settings of a benchmark: those of its own servers, and the ones that the user may choose.
final class BenchSettings {
  private BenchSettings() {}

  /// @param chosen by the user; keys with none of these prefixes are ignored
  static Map<String, String> chosen(Map<String, String> chosen, String... prefixes) {
    var values = new HashMap<>(chosen);
    values.keySet().removeIf(key -> List.of(prefixes).stream().noneMatch(key::startsWith));
    return values;
  }

  static Settings load(Map<String, String> values, List<Class<? extends Record>> sections) {
    return Settings.load(null, Map.of(), values, sections);
  }
}
