package io.tidemill.app;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpConnection;
import io.tidemill.amqp.AmqpException;
import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.AnalyticsException;
import io.tidemill.app.wiring.DataConfig;
import io.tidemill.app.wiring.Endpoints;
import io.tidemill.app.wiring.ServerNeeds;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.RedisHealth;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Asks one server whether it is there, as its client will ask it later.
///
/// @param name such as `kafka`
/// @param key the setting that names its address
/// @param place where it should be, without passwords
record ServerProbe(String name, String key, String place, Question question) {
  /// Waiting does not help against these.
  private static final Pattern REFUSALS =
      Pattern.compile("NOAUTH|WRONGPASS|ERR AUTH|ACCESS_REFUSED|NOT_ALLOWED|NOPERM");

  /// Returns when the server answers.
  @FunctionalInterface
  interface Question {
    /// @throws SettingsException when the server is there and does not let us in
    /// @throws Exception that says why it is away
    void ask() throws Exception;
  }

  /// A probe for each server that these roles use and the settings name.
  static List<ServerProbe> of(Settings settings, ServerNeeds needs) {
    var servers = Endpoints.configured(settings);
    var probes = new ArrayList<ServerProbe>();
    if (!servers.redis().url().isEmpty()) probes.add(redis(servers.redis()));
    if (needs.kafka() && !servers.kafka().bootstrap().isEmpty()) probes.add(kafka(servers.kafka()));
    if (needs.amqp() && !servers.amqp().url().isEmpty()) probes.add(amqp(servers.amqp()));
    if (needs.s3() && !servers.s3().endpoint().isEmpty()) {
      var address = ServerAddress.of(servers.s3().endpoint());
      probes.add(new ServerProbe("s3", "s3.endpoint", address.toString(), address::connect));
    }
    if (needs.postgres()) {
      var data = settings.section(DataConfig.class).dir();
      probes.add(postgres(settings.section(AnalyticsConfig.class), data));
    }
    return probes;
  }

  private static ServerProbe redis(RedisConfig config) {
    var address = ServerAddress.of(config.url());
    return new ServerProbe(
        "redis",
        "redis.url",
        address.toString(),
        () -> {
          address.connect();
          try (var redis = new Redis(config)) {
            new RedisHealth(redis).ping();
          } catch (RedisException failed) {
            throw refusedOrAway("redis.url", failed);
          }
        });
  }

  // Kafka's client would log each attempt that fails, so the first question is a connection.
  private static ServerProbe kafka(KafkaConfig config) {
    var addresses = config.brokers().stream().map(ServerAddress::ofBroker).toList();
    return new ServerProbe(
        "kafka",
        "kafka.bootstrap",
        addresses.stream().map(ServerAddress::toString).collect(Collectors.joining(",")),
        () -> {
          connectToAny(addresses);
          try (var topics = new TopicProvisioner(config)) {
            topics.brokers();
          }
        });
  }

  private static ServerProbe amqp(AmqpConfig config) {
    var address = ServerAddress.of(config.url());
    return new ServerProbe(
        "amqp",
        "amqp.url",
        address.toString(),
        () -> {
          address.connect();
          try {
            AmqpConnection.open(config, "tidemill-start").close();
          } catch (AmqpException failed) {
            var thrown = refusedOrAway("amqp.url", failed);
            throw thrown == failed && !failed.isTransient() ? unusable("amqp.url", failed) : thrown;
          }
        });
  }

  private static ServerProbe postgres(AnalyticsConfig config, Path data) {
    var hosts = config.place().replaceFirst("/.*", "");
    var addresses = Stream.of(hosts.split(",", -1)).map(ServerAddress::ofDatabase).toList();
    return new ServerProbe(
        "postgresql",
        "analytics.url",
        config.place(),
        () -> {
          connectToAny(addresses);
          try (var analytics = new Analytics(config, data, InstantSource.system())) {
            analytics.ping();
          } catch (AnalyticsException failed) {
            if (isRefused(failed)) throw refused("analytics.url", failed);
            if (!failed.isPassing()) throw unusable("analytics.url", failed);
            throw failed;
          }
        });
  }

  private static void connectToAny(List<ServerAddress> addresses) throws IOException {
    IOException first = null;
    for (var address : addresses) {
      try {
        address.connect();
        return;
      } catch (IOException away) {
        if (first == null) first = away;
      }
    }
    if (first != null) throw first;
  }

  private static RuntimeException refusedOrAway(String key, RuntimeException failed) {
    var message = String.valueOf(failed.getMessage());
    return REFUSALS.matcher(message).find() ? refused(key, failed) : failed;
  }

  // 28 = who we say we are, 3D = no such database.
  private static boolean isRefused(Throwable failed) {
    for (Throwable at = failed; at != null; at = at.getCause()) {
      var state = at instanceof SQLException refused ? refused.getSQLState() : null;
      if (state != null && (state.startsWith("28") || state.startsWith("3D"))) return true;
    }
    return false;
  }

  private static SettingsException refused(String key, Throwable failed) {
    return new SettingsException(
        "%s: the server does not let us in (%s); check user, password and name in it"
            .formatted(key, reason(failed)),
        failed);
  }

  private static SettingsException unusable(String key, Throwable failed) {
    return new SettingsException(
        "%s: the server answers and can't be used (%s)".formatted(key, reason(failed)), failed);
  }

  /// The deepest word on a failure, in one line.
  static String reason(Throwable failed) {
    var reason = failed.getClass().getSimpleName();
    for (Throwable at = failed; at != null; at = at.getCause()) {
      var message = at.getMessage();
      if (message != null && !message.isBlank()) reason = message.lines().findFirst().orElse("");
    }
    return reason;
  }
}
