package io.tidemill.amqp;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.net.URI;
import java.time.Duration;

/// How to reach the AMQP broker, read from keys `amqp.*`.
@Section("amqp")
public record AmqpConfig(
    @Setting(
            value = "",
            doc =
                "AMQP 0-9-1 broker as amqp://[user:password@]host:port[/vhost] (amqps:// for TLS); empty = a local server.",
            secret = true)
        String url,
    @Setting(
            value = "guest",
            env = "RABBITMQ_USER",
            doc = "User, when the URL names none; also the local server's.")
        String user,
    @Setting(
            value = "guest",
            env = "RABBITMQ_PASSWORD",
            doc = "Password, when the URL names none; also the local server's.",
            secret = true)
        String password,
    @Setting(
            value = "30s",
            doc = "How long publishing waits for the broker's confirm, through restarts of it.")
        Duration publishTimeout,
    @Setting(
            value = "",
            doc =
                "RabbitMQ's management API as http://[user:password@]host:15672, to check how queues are bound; empty = that is not checked.",
            secret = true)
        String managementUrl) {
  public AmqpConfig {
    if (publishTimeout.toMillis() < 1) {
      throw new IllegalArgumentException(
          "amqp.publish-timeout is " + publishTimeout + ": expected more than 0");
    }
    if (!managementUrl.isEmpty() && !isHttp(managementUrl)) {
      throw new IllegalArgumentException(
          "amqp.management-url can't be used: expected http://host:port");
    }
  }

  private static boolean isHttp(String url) {
    try {
      return url.matches("https?://.+") && URI.create(url).getHost() != null;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  /// Without a management API.
  public AmqpConfig(String url, String user, String password, Duration publishTimeout) {
    this(url, user, password, publishTimeout, "");
  }

  /// The same with the address of a server that was started here.
  public AmqpConfig withUrl(String address) {
    return new AmqpConfig(address, user, password, publishTimeout, managementUrl);
  }
}
