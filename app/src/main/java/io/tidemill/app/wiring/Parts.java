package io.tidemill.app.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.analytics.Analytics;
import io.tidemill.audit.AuditLog;
import io.tidemill.config.Settings;
import io.tidemill.content.url.Cidr;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.embedding.Embedder;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.connection.DnsResolver;
import io.tidemill.http.Routes;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.access.ApiKeys;
import io.tidemill.job.BacklogReleaser;
import io.tidemill.job.JobQueue;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.observe.AuditTrail;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisHealth;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.IndexLocation;
import io.tidemill.search.index.IndexRegistry;
import io.tidemill.search.query.PageSearch;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.OpenClients;
import io.tidemill.service.Service;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.trace.SpanWriter;
import io.tidemill.trace.TraceStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The clients and stores that the roles of one process share, and the services and routes of all.
final class Parts {
  private final Settings settings;
  private final Endpoints endpoints;
  private final InstantSource clock;
  private final Metrics metrics = new Metrics();
  private final TraceStore traceStore;
  private final Traces traces;
  private final Redis redis;
  private final RedisHealth redisHealth;
  private final IndexRegistry indexRegistry;
  private final IndexLocation indexLocation;
  private @Nullable PageSearch pages;
  private @Nullable Analytics analytics;
  private @Nullable Embedder embedder;
  private @Nullable JobStore jobStore;
  private final ApiKeys keys;
  private @Nullable AuditLog audit;

  final List<Service> services = new ArrayList<>();
  final List<Routes> routes = new ArrayList<>();
  final Map<String, HealthCheck> checks = new LinkedHashMap<>();
  final Map<String, HealthCheck> notes = new LinkedHashMap<>();
  private final OpenClients clients = new OpenClients();

  Parts(Settings settings, Endpoints endpoints, InstantSource clock) {
    this.settings = settings;
    this.endpoints = endpoints;
    this.clock = clock;
    keys = new ApiKeys(section(ApiConfig.class), clock);
    redis = new Redis(endpoints.redis());
    traceStore = new TraceStore(redis, section(ObserveConfig.class), clock);
    var spans = new SpanWriter(traceStore, WorkerName.process(), metrics.registry());
    traces = new Traces(section(ObserveConfig.class), spans, clock);
    add(spans); // the first to start and the last to stop: all other services write spans
    var self =
        new IndexRegistry.Member(
            WorkerName.unique(), WorkerName.host(), ProcessHandle.current().pid());
    indexRegistry = new IndexRegistry(redis, self);
    indexLocation = new IndexLocation(indexRegistry, IndexFolder.of(settings));
    redisHealth = new RedisHealth(redis);
    add(redisHealth);
    check("redis", redisHealth::ping);
  }

  Settings settings() {
    return settings;
  }

  <T extends Record> T section(Class<T> type) {
    return settings.section(type);
  }

  Endpoints endpoints() {
    return endpoints;
  }

  InstantSource clock() {
    return clock;
  }

  Metrics metrics() {
    return metrics;
  }

  MeterRegistry registry() {
    return metrics.registry();
  }

  Traces traces() {
    return traces;
  }

  TraceStore traceStore() {
    return traceStore;
  }

  Redis redis() {
    return redis;
  }

  RedisHealth redisHealth() {
    return redisHealth;
  }

  void add(Service service) {
    services.add(service);
  }

  void route(Routes more) {
    routes.add(more);
  }

  void check(String name, HealthCheck check) {
    checks.put(name, check);
  }

  /// A check that is announced but does not decide readiness.
  void note(String name, HealthCheck check) {
    notes.put(name, check);
  }

  /// Closes the client when all services have stopped.
  <T extends AutoCloseable> T close(T client) {
    return clients.add(client);
  }

  void close() {
    clients.close();
    redis.close();
    traces.close();
    metrics.close();
  }

  /// Which index is in use, and whether it is the one that this process sees.
  IndexRegistry indexRegistry() {
    return indexRegistry;
  }

  IndexLocation indexLocation() {
    return indexLocation;
  }

  /// The index of pages, opened on first use.
  synchronized PageSearch pages() {
    var open = pages;
    if (open == null) {
      open =
          close(
              new PageSearch(
                  IndexFolder.of(settings),
                  section(SearchConfig.class),
                  clock,
                  embedder(),
                  indexLocation));
      pages = open;
    }
    return open;
  }

  /// The embedded model, loaded on first use.
  synchronized Embedder embedder() {
    var known = embedder;
    if (known == null) known = embedder = close(IndexFolder.embedder(settings));
    return known;
  }

  /// Whether a process of these roles may open the analytics database. Another process that opened
  /// its file would lock the collector out.
  boolean hasAnalytics(Set<Role> roles) {
    return roles.contains(Role.COLLECTOR)
        || roles.contains(Role.PROCESSOR)
        || section(AnalyticsConfig.class).isPostgres();
  }

  /// The analytics database, opened on first use; if it is a file, this process owns it.
  synchronized Analytics analytics() {
    var open = analytics;
    if (open == null) {
      open =
          close(
              new Analytics(
                  section(AnalyticsConfig.class), section(DataConfig.class).dir(), clock));
      analytics = open;
    }
    return open;
  }

  /// Fetches URLs that users give, under the rules of the crawler (F47).
  Fetcher fetcher(String name) {
    var networks = section(CrawlerConfig.class).allowNetworks();
    return close(
        new Fetcher(
            name,
            section(FetchConfig.class),
            networks.stream().map(Cidr::parse).toList(),
            DnsResolver.system(),
            metrics.registry()));
  }

  /// The store of jobs; its first use adds the releaser of the backlog.
  JobStore jobStore() {
    var open = jobStore;
    if (open == null) {
      open = new JobStore(redis, section(JobsConfig.class), clock);
      jobStore = open;
      add(new BacklogReleaser(open.backlog(), metrics.registry()));
    }
    return open;
  }

  /// The queue of a worker, which also releases the backlog.
  JobQueue jobQueue() {
    jobStore();
    return new JobQueue(redis, section(JobsConfig.class), clock);
  }

  ApiKeys keys() {
    return keys;
  }

  /// The audit trail of a process with routes that change something.
  AuditLog audit() {
    var open = audit;
    if (open == null) {
      var keep = section(ApiConfig.class).auditKeep();
      open = new AuditLog(redis, keep, metrics.registry(), clock);
      audit = open;
      add(open);
    }
    return open;
  }

  AuditTrail auditTrail() {
    return audit == null ? AuditTrail.NONE : audit::append;
  }
}
