package io.tidemill.app;

import io.tidemill.app.upgrade.Servers;
import io.tidemill.app.upgrade.Upgrade;
import io.tidemill.app.wiring.Addresses;
import io.tidemill.app.wiring.DataConfig;
import io.tidemill.app.wiring.Endpoints;
import io.tidemill.app.wiring.Instance;
import io.tidemill.app.wiring.Role;
import io.tidemill.cli.client.Version;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.presence.Installation;
import io.tidemill.redis.Redis;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Everything that one process runs: perhaps local servers, and roles. Stops as it started,
/// reversed.
final class RunningInstance implements AutoCloseable {
  private final Settings settings;
  private final Path data;
  private final InstantSource clock;
  private final Upgrade upgrade = new Upgrade(Version.current());
  private final CountDownLatch stopped = new CountDownLatch(1);
  private @Nullable DataFolder folder;
  private @Nullable LocalServersStart servers;
  private @Nullable Instance instance;
  private boolean closed;

  RunningInstance(Settings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    data = settings.section(DataConfig.class).dir();
  }

  /// Starts a local server for each address that is not configured, then the roles.
  Addresses up(Set<Role> roles) {
    upgrade.check(data);
    folder = DataFolder.take(data);
    upgrade.files(data);
    var local = new LocalServersStart(settings, data);
    servers = local;
    local.start();
    var endpoints = upgradeServers(local.endpoints());
    upgrade.finish(data);
    var addresses = start(roles, endpoints);
    addresses.write(data, clock.instant());
    return addresses;
  }

  /// Starts the roles alone.
  Addresses run(Set<Role> roles) {
    var endpoints = Endpoints.configured(settings);
    if (endpoints.redis().url().isEmpty()) {
      throw new SettingsException(
          "redis.url is empty: `run` starts no servers, expected redis://host:port"
              + " (for those of a running `up`: eval \"$(./tidemill env)\")");
    }
    return start(roles, upgradeServers(endpoints));
  }

  private Endpoints upgradeServers(Endpoints endpoints) {
    try (var redis = new Redis(endpoints.redis())) {
      upgrade.servers(new Servers(redis, endpoints.kafka(), endpoints.amqp(), endpoints.s3()));
      return endpoints.of(Installation.id(redis));
    }
  }

  private Addresses start(Set<Role> roles, Endpoints endpoints) {
    var made = new Instance(settings, roles, endpoints, clock);
    synchronized (this) {
      if (closed) throw new IllegalStateException("stopped while starting");
      instance = made;
    }
    made.start();
    return made.addresses();
  }

  /// Waits until it is closed.
  void await() throws InterruptedException {
    stopped.await();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) return;
      closed = true;
    }
    if (folder != null) Addresses.remove(data);
    if (instance != null) instance.close();
    if (servers != null) servers.close();
    if (folder != null) folder.close();
    stopped.countDown();
  }
}
