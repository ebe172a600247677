package io.tidemill.app.wiring;

import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.tidemill.config.Settings;
import io.tidemill.dashboard.overview.PresenceAnnouncer;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.server.HealthRoutes;
import io.tidemill.http.server.HttpServer;
import io.tidemill.http.server.MetricsRoutes;
import io.tidemill.presence.PresenceStore;
import io.tidemill.service.Services;
import io.tidemill.worker.WorkerConfig;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Set;

/// The roles of one process, wired to the endpoints given: made, started and stopped as one.
public final class Instance implements AutoCloseable {
  private final Set<Role> roles;
  private final Parts parts;
  private final HttpServer http;
  private final Services services;

  /// @param listen where it serves HTTP
  /// @param self as it announces itself
  public Instance(
      Settings settings,
      Set<Role> roles,
      Endpoints endpoints,
      HttpConfig listen,
      PresenceAnnouncer.Self self,
      InstantSource clock) {
    this.roles = roles;
    parts = new Parts(settings, endpoints, clock);
    var first = parts.services.size();
    new DiskSpaceMetrics(parts.section(DataConfig.class).dir().toFile()).bindTo(parts.registry());
    if (!roles.equals(Set.of(Role.WORKER))) {
      var brokers = new Brokers(new ServerNeeds(roles, settings).of(endpoints));
      parts.add(brokers);
      brokers.checks().forEach(parts::check);
    }
    parts.route(new MetricsRoutes(parts.metrics()));
    var wiring = new RoleWiring(parts);
    if (roles.contains(Role.INDEXER)) wiring.addIndexer();
    if (roles.contains(Role.CRAWLER)) wiring.addCrawler();
    if (roles.contains(Role.COLLECTOR)) wiring.addCollector();
    if (roles.contains(Role.WORKER)) wiring.addWorker(roles);
    if (roles.contains(Role.PROCESSOR)) wiring.addProcessor();
    if (roles.contains(Role.GATEWAY)) new GatewayWiring(parts, roles).add();
    if (isSearching() && !roles.contains(Role.INDEXER)) {
      parts.note("index", parts.indexLocation()::state);
    }
    parts.route(new HealthRoutes(parts.checks, clock));
    // Before whatever writes, and until all of it has stopped: others rely on what it announces.
    parts.services.add(first, announcer(self));
    http =
        new HttpServer(
            listen,
            parts.keys(),
            parts.auditTrail(),
            parts.routes,
            parts.section(CompatConfig.class).problems(),
            parts.metrics(),
            parts.traces());
    parts.add(http); // the last to start and the first to stop: requests need all other services
    services = new Services(parts.services);
  }

  private boolean isSearching() {
    var tasks = parts.section(WorkerConfig.class);
    var worker = tasks.does("rag") || tasks.does("tool");
    return roles.contains(Role.GATEWAY)
        || roles.contains(Role.PROCESSOR)
        || (roles.contains(Role.WORKER) && worker);
  }

  private PresenceAnnouncer announcer(PresenceAnnouncer.Self self) {
    var checks = new LinkedHashMap<>(parts.checks);
    checks.putAll(parts.notes);
    return new PresenceAnnouncer(
        new PresenceStore(parts.redis()),
        self,
        new HealthRoutes(checks, parts.clock()),
        parts.registry());
  }

  public void start() {
    services.start();
  }

  public Addresses addresses() {
    return new Addresses(
        http.url(),
        parts.endpoints().kafka().bootstrap(),
        parts.endpoints().redis().url(),
        parts.endpoints().amqp().url(),
        parts.endpoints().s3().endpoint());
  }

  Set<Role> roles() {
    return roles;
  }

  @Override
  public void close() {
    services.close();
    parts.close();
  }
}
