package io.tidemill.processor;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/// How long a task waits for its next attempt (C2.10): the first pause as it is set, then doubling
/// with jitter, up to a cap.
final class RetrySchedule {
  private static final Pattern ENTRY =
      Pattern.compile("([\\w-]+)\\s*=\\s*(\\w+)\\s*\\.\\.\\s*(\\w+)");

  private record Pauses(Duration first, Duration most) {}

  private final Pauses usual;
  private final Map<String, Pauses> byType = new HashMap<>();

  RetrySchedule(Duration first, Duration most, List<String> types) {
    usual = new Pauses(first, most);
    for (var entry : types) add(entry);
  }

  private void add(String entry) {
    var parts = ENTRY.matcher(entry);
    if (!parts.matches()) throw wrong(entry);
    try {
      byType.put(parts.group(1), new Pauses(duration(parts.group(2)), duration(parts.group(3))));
    } catch (ConfigException notADuration) {
      throw wrong(entry);
    }
  }

  private static Duration duration(String text) {
    return ConfigValueFactory.fromAnyRef(text).atKey("v").getDuration("v");
  }

  private static IllegalArgumentException wrong(String entry) {
    return new IllegalArgumentException(
        "processor.retry-types has '"
            + entry
            + "': expected entries such as email_notification=10s..5m");
  }

  /// The pause before the retry with this number, from 1.
  Duration before(int retry, String type, RandomGenerator random) {
    var pauses = byType.getOrDefault(type, usual);
    if (retry <= 1) return shorter(pauses.first(), pauses.most());
    var doubled = pauses.first().toMillis() << Math.min(30, retry - 1);
    var full = Math.min(doubled, pauses.most().toMillis());
    // Jitter of up to a quarter: tasks that failed together are retried apart.
    return Duration.ofMillis(full - random.nextLong(full / 4 + 1));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
