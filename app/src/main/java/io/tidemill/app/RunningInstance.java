package io.tidemill.app;

import io.tidemill.app.upgrade.Servers;
import io.tidemill.app.upgrade.Upgrade;
import io.tidemill.app.wiring.Addresses;
import io.tidemill.app.wiring.DataConfig;
import io.tidemill.app.wiring.Endpoints;
import io.tidemill.app.wiring.ExclusiveStores;
import io.tidemill.app.wiring.Instance;
import io.tidemill.app.wiring.Role;
import io.tidemill.app.wiring.ServerNeeds;
import io.tidemill.app.wiring.SharedEnvironment;
import io.tidemill.cli.client.Version;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.dashboard.overview.PresenceAnnouncer;
import io.tidemill.http.HttpConfig;
import io.tidemill.presence.Installation;
import io.tidemill.presence.PresenceStore;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisClock;
import io.tidemill.service.StopSignal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Everything that one process runs: perhaps local servers, and roles. Stops as it started,
/// reversed.
final class RunningInstance implements AutoCloseable {
  private static final Duration CLAIM_AGAIN = Duration.ofMillis(500);

  /// @param endpoints of this installation
  private record Joined(Endpoints endpoints, PresenceAnnouncer.Self self) {}

  private final Settings settings;
  private final Path data;
  private final InstantSource clock;
  private final Upgrade upgrade = new Upgrade(Version.current());
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final StopSignal signal = new StopSignal();
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
    var listen = listen(roles);
    var local = new LocalServersStart(settings, data);
    var http = awaitServers(roles, listen, true);
    upgrade.files(data);
    servers = local;
    local.start();
    var joined = join(roles, local.endpoints());
    upgrade.finish(data);
    var addresses = start(roles, joined, http);
    addresses.write(data, clock.instant(), SharedEnvironment.of(settings, local.endpoints()));
    return addresses;
  }

  /// Starts the roles alone.
  Addresses run(Set<Role> roles) {
    var endpoints = Endpoints.configured(settings);
    var missing = new ServerNeeds(roles, settings).missing(endpoints);
    if (!missing.isEmpty()) throw new SettingsException(missing);
    var http = awaitServers(roles, listen(roles), false);
    return start(roles, join(roles, endpoints), http);
  }

  private HttpConfig listen(Set<Role> roles) {
    var listen = ListenAddress.of(settings, roles);
    listen.requireFree(settings);
    return listen.http();
  }

  private HttpConfig awaitServers(Set<Role> roles, HttpConfig listen, boolean startsLocal) {
    var probes = ServerProbe.of(settings, new ServerNeeds(roles, settings));
    var http = new ServerWait(settings, probes, startsLocal, signal).await(listen, clock);
    if (signal.isStopping()) throw new IllegalStateException("stopped while starting");
    return http;
  }

  private Joined join(Set<Role> roles, Endpoints endpoints) {
    try (var redis = new Redis(endpoints.redis())) {
      upgrade.servers(new Servers(redis, endpoints.kafka(), endpoints.amqp(), endpoints.s3()));
      var self = ExclusiveStores.self(settings, roles, new RedisClock(redis, clock));
      claim(new ExclusiveStores(self, redis));
      return new Joined(endpoints.of(Installation.id(redis)), self);
    }
  }

  // A process elsewhere that was killed counts as alive for some seconds.
  private void claim(ExclusiveStores stores) {
    var giveUpAt = System.nanoTime() + PresenceStore.LASTS.plus(PresenceStore.EVERY).toNanos();
    for (var found = stores.claim(); found.isPresent(); found = stores.claim()) {
      if (found.get().isCertain() || System.nanoTime() - giveUpAt > 0) {
        stores.release();
        throw new SettingsException(found.get().problem());
      }
      signal.rest(CLAIM_AGAIN);
      if (signal.isStopping()) throw new IllegalStateException("stopped while starting");
    }
  }

  private Addresses start(Set<Role> roles, Joined joined, HttpConfig http) {
    var made = new Instance(settings, roles, joined.endpoints(), http, joined.self(), clock);
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
    signal.stop();
    if (folder != null) Addresses.remove(data);
    if (instance != null) instance.close();
    if (servers != null) servers.close();
    if (folder != null) folder.close();
    stopped.countDown();
  }
}
