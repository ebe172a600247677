package io.tidemill.observe;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// Fields that every log line of this thread carries until it is closed; earlier values come back
/// then.
public final class LogContext implements AutoCloseable {
  private final Map<String, @Nullable String> earlier = new LinkedHashMap<>();

  private LogContext() {}

  /// No fields yet.
  public static LogContext open() {
    return new LogContext();
  }

  /// Adds a field.
  public void add(String key, String value) {
    put(key, value);
  }

  /// Adds fields, given as key, value, key, value.
  public static LogContext with(String key, String value, String... more) {
    if (more.length % 2 != 0)
      throw new IllegalArgumentException("a key without a value: " + more.length);
    var context = new LogContext();
    context.put(key, value);
    for (int i = 0; i < more.length; i += 2) context.put(more[i], more[i + 1]);
    return context;
  }

  private void put(String key, String value) {
    if (!earlier.containsKey(key)) earlier.put(key, MDC.get(key));
    MDC.put(key, value);
  }

  @Override
  public void close() {
    earlier.forEach((key, value) -> {
      if (value == null) {
        MDC.remove(key);
      } else {
        MDC.put(key, value);
      }
    });
    earlier.clear();
  }
}
