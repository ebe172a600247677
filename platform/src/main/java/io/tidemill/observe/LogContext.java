package io.tidemill.observe;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// Fields of all log lines of this thread until it is closed, which restores earlier values.
public final class LogContext implements AutoCloseable {
  private final Map<String, @Nullable String> earlier = new LinkedHashMap<>();

  private LogContext() {}

  /// No fields yet.
  public static LogContext open() {
    return new LogContext();
  }

  /// Adds fields, given as key, value, key, value.
  public static LogContext with(String key, String value, String... more) {
    if (more.length % 2 != 0)
      throw new IllegalArgumentException("a key without a value: " + more.length);
    var context = new LogContext();
    context.add(key, value);
    for (int i = 0; i < more.length; i += 2) context.add(more[i], more[i + 1]);
    return context;
  }

  /// Adds a field.
  public void add(String key, String value) {
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
