package io.tidemill.cli.client;

import io.tidemill.cli.terminal.CommandFailure;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Refuses what an option can't be before the gateway does, as a wrong command line.
public final class OptionValue {
  private OptionValue() {}

  /// @param value null when the option was not given
  public static void oneOf(String option, @Nullable String value, Collection<String> names) {
    if (value == null || names.contains(value)) return;
    throw CommandFailure.usage(
        "%s is '%s': expected one of %s".formatted(option, value, String.join(", ", names)));
  }

  /// @param value null when the option was not given
  public static void between(String option, @Nullable Integer value, int least, int most) {
    if (value == null || (value >= least && value <= most)) return;
    throw CommandFailure.usage("%s is %d: expected %d to %d".formatted(option, value, least, most));
  }
}
