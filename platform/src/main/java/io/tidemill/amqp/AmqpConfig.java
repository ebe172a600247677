package io.tidemill.amqp;

import io.tidemill.config.Renaming;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

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
        String managementUrl,
    @Setting(
            value = "",
            doc =
                "Queues that have another name on this broker, as `crawler_queue=acme.pages`, those beside them with them, such as `acme.pages.dead`; the same in all processes.")
        List<String> queues,
    @Setting(
            value = "",
            doc =
                "Exchanges that have another name on this broker, as `smap.events=acme.events`; the same in all processes.")
        List<String> exchanges) {
  // AMQP takes 255 bytes; the names of queues beside others have a suffix.
  private static final Pattern NAME = Pattern.compile("(?!amq\\.)[a-zA-Z0-9._:/-]{1,250}");
  private static final String NAMES =
      "expected up to 250 letters, digits and . _ : / -, not beginning with amq.";

  public AmqpConfig {
    if (publishTimeout.toMillis() < 1) {
      throw new IllegalArgumentException(
          "amqp.publish-timeout is " + publishTimeout + ": expected more than 0");
    }
    if (!url.isEmpty() && !isAmqp(url)) {
      throw new IllegalArgumentException(
          "amqp.url can't be used: expected amqp://[user:password@]host:port[/vhost]");
    }
    if (!managementUrl.isEmpty() && !isHttp(managementUrl)) {
      throw new IllegalArgumentException(
          "amqp.management-url can't be used: expected http://host:port");
    }
    queues = List.copyOf(queues);
    exchanges = List.copyOf(exchanges);
    new Renaming("amqp.queues", queues).require(NAME.asMatchPredicate(), NAMES);
    new Renaming("amqp.exchanges", exchanges).require(NAME.asMatchPredicate(), NAMES);
  }

  // Never repeats the value: it may hold a password.
  private static boolean isAmqp(String url) {
    try {
      return url.matches("amqps?://.+") && URI.create(url).getHost() != null;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  private static boolean isHttp(String url) {
    try {
      return url.matches("https?://.+") && URI.create(url).getHost() != null;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  /// With the contracts' names.
  public AmqpConfig(
      String url, String user, String password, Duration publishTimeout, String managementUrl) {
    this(url, user, password, publishTimeout, managementUrl, List.of(), List.of());
  }

  /// Without a management API, with the contracts' names.
  public AmqpConfig(String url, String user, String password, Duration publishTimeout) {
    this(url, user, password, publishTimeout, "");
  }

  /// The same with the address of a server that was started here.
  public AmqpConfig withUrl(String address) {
    return new AmqpConfig(
        address, user, password, publishTimeout, managementUrl, queues, exchanges);
  }

  /// The same with other names for queues and exchanges.
  public AmqpConfig withNames(List<String> queuePairs, List<String> exchangePairs) {
    return new AmqpConfig(
        url, user, password, publishTimeout, managementUrl, queuePairs, exchangePairs);
  }

  /// What queues are called on this broker.
  public Renaming queueNames() {
    return new Renaming("amqp.queues", queues);
  }

  /// What exchanges are called on this broker.
  public Renaming exchangeNames() {
    return new Renaming("amqp.exchanges", exchanges);
  }
}
