package io.tidemill.app;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.app.wiring.Endpoints;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.processor.record.RecordsConfig;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.AmqpServer;
import io.tidemill.servers.KafkaServer;
import io.tidemill.servers.LocalServer;
import io.tidemill.servers.LocalServers;
import io.tidemill.servers.Ports;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A local server for each address that is not configured.
final class LocalServersStart implements AutoCloseable {
  private final @Nullable LocalServer kafka;
  private final @Nullable LocalServer redis;
  private final @Nullable LocalServer amqp;
  private final @Nullable LocalServer s3;
  private final Endpoints configured;
  private final KeptPorts ports;

  // The Redis of a process that was killed may still be on its way out.
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /// @throws SettingsException when a port that the settings name is taken
  LocalServersStart(Settings settings, Path data) {
    configured = Endpoints.configured(settings);
    var wanted = settings.section(ServersConfig.class);
    refuseTakenPorts(settings, wanted);
    ports = new KeptPorts(data);
    var user = settings.section(AmqpConfig.class);
    var keys = settings.section(S3Config.class);
    kafka =
        configured.kafka().bootstrap().isEmpty()
            ? new KafkaServer(
                data.resolve("kafka"),
                ports.port("kafka", wanted.kafkaPort(), settings.isSet("servers.kafka.port")))
            : null;
    redis =
        configured.redis().url().isEmpty()
            ? new RedisServer(
                data.resolve("redis"),
                ports.port("redis", wanted.redisPort(), settings.isSet("servers.redis.port")),
                wanted.redisMaxMemory(),
                "always")
            : null;
    amqp =
        configured.amqp().url().isEmpty()
            ? new AmqpServer(
                data.resolve("amqp"),
                ports.port("amqp", wanted.amqpPort(), settings.isSet("servers.amqp.port")),
                user.user(),
                user.password())
            : null;
    s3 =
        configured.s3().endpoint().isEmpty()
            ? new S3Server(
                data.resolve("s3"),
                ports.port("s3", wanted.s3Port(), settings.isSet("servers.s3.port")),
                keys.accessKey(),
                keys.secretKey(),
                // Users put the objects there that their workflows read.
                settings.section(RecordsConfig.class).inputBuckets())
            : null;
  }

  // A default port may give way to a free one; a port that somebody chose is meant.
  private void refuseTakenPorts(Settings settings, ServersConfig wanted) {
    var taken = new ArrayList<String>();
    wanted
        .ports(configured)
        .forEach((key, port) -> {
          if (port == 0 || !settings.isSet(key) || Ports.isFreeWithin(port, PATIENCE)) return;
          taken.add(
              "%s is %d (from %s): the port is taken; stop the program that has it, or set another (0 = any free one)"
                  .formatted(key, port, settings.entry(key).source()));
        });
    if (!taken.isEmpty()) throw new SettingsException(taken);
  }

  /// Starts them side by side.
  void start() {
    ports.write(); // not earlier: the folder counts as new until its format was looked at
    LocalServers.startAll(all());
  }

  /// Every address, configured or local.
  Endpoints endpoints() {
    return new Endpoints(
        kafka == null ? configured.kafka() : configured.kafka().withBootstrap(kafka.address()),
        redis == null ? configured.redis() : configured.redis().withUrl(redis.address()),
        amqp == null ? configured.amqp() : configured.amqp().withUrl(amqp.address()),
        s3 == null ? configured.s3() : configured.s3().withEndpoint(s3.address()));
  }

  private List<LocalServer> all() {
    var all = new ArrayList<LocalServer>();
    if (kafka != null) all.add(kafka);
    if (redis != null) all.add(redis);
    if (amqp != null) all.add(amqp);
    if (s3 != null) all.add(s3);
    return all;
  }

  @Override
  public void close() {
    LocalServers.closeAll(all());
  }
}
