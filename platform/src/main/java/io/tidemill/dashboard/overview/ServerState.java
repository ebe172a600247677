package io.tidemill.dashboard.overview;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A server that the platform uses.
///
/// @param address as it may be shown
/// @param check says how it is, or nothing when it is not in use, or throws ([NotKnownYet] when
///   that is still to be seen); null where there is none to ask
/// @param every how often it may be asked
public record ServerState(
    String name, String address, @Nullable Callable<String> check, Duration every) {
  /// One that is not configured.
  public static ServerState off(String name) {
    return new ServerState(name, "", null, Duration.ofDays(1));
  }

  /// How it is.
  ///
  /// @param status `up`, `down`, `off`, or `starting` when it has yet to answer
  record State(String name, String status, String detail, String address) {
    boolean isDown() {
      return status.equals("down");
    }

    boolean isStarting() {
      return status.equals("starting");
    }
  }

  State state(@Nullable SourceReading<String> found) {
    if (check == null || found == null) return new State(name, "off", "not configured", address);
    if (found.isPending()) return new State(name, "starting", "has yet to answer", address);
    if ("".equals(found.value())) return new State(name, "off", "not in use", address);
    return found.value() == null
        ? new State(name, "down", found.trouble(), address)
        : new State(name, "up", found.value(), address);
  }
}
