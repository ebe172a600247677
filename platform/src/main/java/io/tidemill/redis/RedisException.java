package io.tidemill.redis;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import redis.clients.jedis.exceptions.JedisDataException;

/// Redis did not answer, or not as it should; whether a command took effect may be unknown.
public final class RedisException extends RuntimeException {
  // What a Redis says that is starting, saving, failing over or full: another try may succeed.
  private static final Set<String> TRANSIENT =
      Set.of(
          "LOADING",
          "BUSY",
          "OOM",
          "MISCONF",
          "READONLY",
          "MASTERDOWN",
          "NOREPLICAS",
          "TRYAGAIN",
          "CLUSTERDOWN",
          "NOSCRIPT",
          "UNKILLABLE",
          "NOGROUP",
          "NOAUTH",
          "NOPERM",
          "WRONGPASS");

  RedisException(String message, Throwable cause) {
    super(message, cause);
  }

  /// A no that a script passed on.
  public static RedisException refusal(String message) {
    return new RedisException(message, new JedisDataException(message));
  }

  /// Whether Redis has no memory left for more data: nothing was written.
  public boolean isOutOfMemory() {
    return getCause() instanceof JedisDataException && code().equals("OOM");
  }

  /// Whether Redis understood and said no, and would say so again: repeating is of no use.
  public boolean isRefusal() {
    return getCause() instanceof JedisDataException && !TRANSIENT.contains(code());
  }

  private String code() {
    var answer = String.valueOf(requireNonNull(getCause()).getMessage());
    return answer.split(" ", 2)[0];
  }
}
