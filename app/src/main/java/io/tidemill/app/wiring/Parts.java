package io.tidemill.app.wiring;

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
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.observe.AuditTrail;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisHealth;
import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.query.PageSearch;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.Service;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.trace.SpanWriter;
import io.tidemill.trace.TraceStore;
import io.tidemill.worker.WorkerConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the roles of one process share, and what they add up to.
final class Parts {
  private final Settings settings;
  private final Endpoints endpoints;
  private final InstantSource clock;
  private final Metrics metrics = new Metrics();
  private final TraceStore traceStore;
  private final Traces traces;
  private final Redis redis;
  private final RedisHealth redisHealth;
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
  private final List<AutoCloseable> clients = new ArrayList<>();

  Parts(Settings settings, Endpoints endpoints, InstantSource clock) {
    this.settings = settings;
    this.endpoints = endpoints;
    this.clock = clock;
    keys = new ApiKeys(section(ApiConfig.class), clock);
    redis = new Redis(endpoints.redis());
    traceStore = new TraceStore(redis, section(ObserveConfig.class), clock);
    var spans = new SpanWriter(traceStore, WorkerName.process(), metrics.registry());
    traces = new Traces(section(ObserveConfig.class), spans, clock);
    add(spans); // the first to start and the last to stop: everybody else has something to tell
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

  /// A check that others may know of, and on which nothing depends.
  void note(String name, HealthCheck check) {
    notes.put(name, check);
  }

  /// Closed when everything has stopped, the last one first.
  synchronized <T extends AutoCloseable> T close(T client) {
    clients.add(client);
    return client;
  }

  synchronized List<AutoCloseable> clients() {
    return List.copyOf(clients.reversed());
  }

  /// The pages that were indexed; may be asked for at any time.
  synchronized PageSearch pages() {
    var open = pages;
    if (open == null) {
      open =
          close(
              new PageSearch(
                  IndexFolder.of(settings), section(SearchConfig.class), clock, embedder()));
      pages = open;
    }
    return open;
  }

  /// The model inside this program; it is loaded when somebody needs it.
  synchronized Embedder embedder() {
    var known = embedder;
    if (known == null) known = embedder = close(IndexFolder.embedder(settings));
    return known;
  }

  /// Whether a process of these roles may open the analytics database: whoever else opened its file
  /// would keep the collector's process out of it.
  boolean hasAnalytics(Set<Role> roles) {
    return roles.contains(Role.COLLECTOR)
        || roles.contains(Role.PROCESSOR)
        || section(AnalyticsConfig.class).isPostgres();
  }

  /// The analytics database; its file, if it is one, belongs to this process. May be asked for at
  /// any time.
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

  /// Fetches what users name, by the same rules as what is crawled (F47).
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

  /// The jobs; with them, somebody who looks after those that wait.
  JobStore jobStore() {
    var open = jobStore;
    if (open == null) {
      open = new JobStore(redis, section(JobsConfig.class), clock);
      jobStore = open;
      add(new BacklogReleaser(open.line(), metrics.registry()));
    }
    return open;
  }

  /// Those who may come in.
  ApiKeys keys() {
    return keys;
  }

  /// The audit trail of a process that has something to change.
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

  /// The queue of jobs.
  StreamConsumer jobs(String consumer) {
    var jobs = section(JobsConfig.class);
    var lease = section(WorkerConfig.class).lease();
    return new StreamConsumer(
        redis, jobs.stream(), jobs.group(), consumer, lease, metrics.registry());
  }
}
