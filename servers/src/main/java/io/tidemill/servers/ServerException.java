package io.tidemill.servers;

import org.jspecify.annotations.Nullable;

/// A local server did not start; the message is one line for the person who started it.
public final class ServerException extends RuntimeException {

  ServerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// The failure of a server, with the message of the deepest cause that has one.
  static ServerException starting(LocalServer server, Throwable failure) {
    if (failure instanceof ServerException known) return known;
    return new ServerException(
        "%s on port %d did not start: %s".formatted(server.name(), server.port(), reason(failure)),
        failure);
  }

  private static String reason(Throwable failure) {
    String reason = failure.getClass().getSimpleName();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String message = each.getMessage();
      if (message != null && !message.isBlank()) reason = message;
    }
    return reason.lines().findFirst().orElse(reason);
  }
}
