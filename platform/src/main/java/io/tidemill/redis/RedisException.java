package io.tidemill.redis;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/// A command failed; whether it took effect may be unknown.
public final class RedisException extends RuntimeException {
  // Error codes of a Redis that starts, saves, fails over or is full: another try may succeed.
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

  /// The failure of a command on a connection of one's own.
  public static RedisException of(String what, JedisException cause) {
    return new RedisException(what + ": " + cause.getMessage(), cause);
  }

  /// A refusal that a script passed on.
  public static RedisException refusal(String message) {
    return new RedisException(message, new JedisDataException(message));
  }

  /// Whether Redis has no memory left for more data: nothing was written.
  public boolean isOutOfMemory() {
    return isReply("OOM");
  }

  /// Whether the consumer group does not exist.
  public boolean isNoGroup() {
    return isReply("NOGROUP");
  }

  /// Whether the consumer group exists already.
  public boolean isBusyGroup() {
    return isReply("BUSYGROUP");
  }

  private boolean isReply(String code) {
    return getCause() instanceof JedisDataException && code().equals(code);
  }

  /// Whether Redis would refuse a repetition as well.
  public boolean isRefusal() {
    return getCause() instanceof JedisDataException && !TRANSIENT.contains(code());
  }

  private String code() {
    var answer = String.valueOf(requireNonNull(getCause()).getMessage());
    return answer.split(" ", 2)[0];
  }
}
