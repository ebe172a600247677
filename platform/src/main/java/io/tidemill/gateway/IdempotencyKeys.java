package io.tidemill.gateway;

import io.tidemill.http.Response;

/// What holds for an Idempotency-Key wherever one may be sent (C3.4, F18).
public final class IdempotencyKeys {
  private IdempotencyKeys() {}

  /// Whether this can be one.
  public static boolean isKey(String key) {
    return !key.isEmpty()
        && key.length() <= 255
        && key.chars().allMatch(character -> character >= ' ' && character <= '~');
  }

  /// The answer when what the key made may still come to nothing: nothing is promised before the
  /// broker has it, however often it is asked for (F06).
  public static Response busy() {
    return Response.problem(
            409, "the first request with this Idempotency-Key is under way; try again in a moment")
        .withHeader("Retry-After", "1");
  }
}
