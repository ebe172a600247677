package io.tidemill.dashboard.overview;

import io.tidemill.observe.Reading;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A server that the platform uses.
///
/// @param address without credentials
/// @param check describes the server's state, with an empty text when it is not in use; null when
///   it is not configured
/// @param maxAge how long a state is cached
public record ServerState(
    String name, String address, @Nullable Callable<Reading<String>> check, Duration maxAge) {
  /// A server that is not configured.
  public static ServerState off(String name) {
    return new ServerState(name, "", null, Duration.ofDays(1));
  }

  /// The state that clients see.
  ///
  /// @param status `up`, `down`, `off`, or `starting` before the first answer
  record State(String name, String status, String detail, String address) {
    boolean isDown() {
      return status.equals("down");
    }

    boolean isStarting() {
      return status.equals("starting");
    }
  }

  State state(@Nullable Reading<String> found) {
    if (check == null || found == null) return new State(name, "off", "not configured", address);
    if (found.isPending()) return new State(name, "starting", "has yet to answer", address);
    if ("".equals(found.value())) return new State(name, "off", "not in use", address);
    return found.value() == null
        ? new State(name, "down", found.problem(), address)
        : new State(name, "up", found.value(), address);
  }
}
