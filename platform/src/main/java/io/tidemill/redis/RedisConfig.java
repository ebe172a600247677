package io.tidemill.redis;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;

/// How to reach Redis, read from keys `redis.*`.
@Section("redis")
public record RedisConfig(
    @Setting(
            value = "",
            doc =
                "Redis or Valkey 7 or newer, as redis://[user:password@]host:port[/db] (rediss:// for TLS); empty = a local server.",
            secret = true)
        String url,
    @Setting(value = "2", doc = "Connections that carry commands; each pipelines many callers.")
        int connections,
    @Setting(value = "5s", doc = "How long a command may wait for its answer.") Duration timeout,
    @Setting(
            value = "",
            doc =
                "Stands before every key and channel, the contracts' among them, such as `acme:`, so that several installations can share a Redis; the same in all processes.")
        String prefix) {
  private static final Pattern PREFIX = Pattern.compile("[a-zA-Z0-9._:/@{}-]{0,100}");

  public RedisConfig {
    if (connections < 1 || connections > 64) {
      throw new IllegalArgumentException(
          "redis.connections is " + connections + ": expected 1 to 64");
    }
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("redis.timeout is " + timeout + ": expected more than 0");
    }
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "redis.prefix is '%s': expected up to 100 letters, digits and . _ : / @ { } -"
              .formatted(prefix));
    }
    if (!url.isEmpty()) checkUrl(url);
  }

  /// With the contracts' keys.
  public RedisConfig(String url, int connections, Duration timeout) {
    this(url, connections, timeout, "");
  }

  /// The same with the address of a server that was started here.
  public RedisConfig withUrl(String address) {
    return new RedisConfig(address, connections, timeout, prefix);
  }

  // Never repeats the value: it may hold a password.
  private static void checkUrl(String url) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException notAUri) {
      throw new IllegalArgumentException(
          "redis.url is not a URL: expected redis://host:port", notAUri);
    }
    var scheme = uri.getScheme();
    if (uri.getHost() == null || !("redis".equals(scheme) || "rediss".equals(scheme))) {
      throw new IllegalArgumentException(
          "redis.url is not a Redis URL: expected redis://host:port");
    }
  }
}
