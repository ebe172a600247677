package io.tidemill.app;

import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.tidemill.broker.amqp.Publisher;
import io.tidemill.broker.amqp.QueueInfo;
import io.tidemill.broker.streams.StreamSource;
import io.tidemill.broker.streams.StreamTail;
import io.tidemill.cli.Version;
import io.tidemill.config.Settings;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.crawler.CrawlerRole;
import io.tidemill.crawler.document.DocumentConfig;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.fetch.Cidr;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.Names;
import io.tidemill.gateway.CrawlDesk;
import io.tidemill.gateway.CrawlsConfig;
import io.tidemill.gateway.DeadRoutes;
import io.tidemill.gateway.JobEvents;
import io.tidemill.gateway.JobRoutes;
import io.tidemill.gateway.OpenApiRoutes;
import io.tidemill.gateway.PageRoutes;
import io.tidemill.gateway.QueuedRemovals;
import io.tidemill.gateway.SearchRoutes;
import io.tidemill.gateway.StatusRoutes;
import io.tidemill.gateway.Submissions;
import io.tidemill.http.ApiConfig;
import io.tidemill.http.Health;
import io.tidemill.http.HealthCheck;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.HttpServer;
import io.tidemill.http.MetricsRoutes;
import io.tidemill.http.Routes;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.indexer.PageIndexer;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.store.redis.Channel;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.JobStore;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.RedisHealth;
import io.tidemill.store.search.IndexStats;
import io.tidemill.store.search.LuceneIndex;
import io.tidemill.store.search.PageSearch;
import io.tidemill.store.search.SearchConfig;
import io.tidemill.url.UrlConfig;
import io.tidemill.url.UrlNormaliser;
import io.tidemill.url.WebUrl;
import io.tidemill.worker.Handlers;
import io.tidemill.worker.HttpGetTool;
import io.tidemill.worker.JobWorker;
import io.tidemill.worker.WorkerConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// The roles of one process, wired to the endpoints given: made, started and stopped as one.
public final class Instance implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Instance.class);
  private static final int TAIL_CONNECTIONS = 2;

  private final List<AutoCloseable> closing = new ArrayList<>();

  private final Settings settings;
  private final Set<Role> roles;
  private final Endpoints endpoints;
  private final InstantSource clock;
  private final Metrics metrics = new Metrics();
  private final Traces traces;
  private final Redis redis;
  private final RedisHealth redisHealth;
  private final JobsConfig jobs;
  private final JobStore store;
  private final HttpServer http;
  private final Services services;

  Instance(Settings settings, Set<Role> roles, Endpoints endpoints, InstantSource clock) {
    this.settings = settings;
    this.roles = roles;
    this.endpoints = endpoints;
    this.clock = clock;
    traces = new Traces(settings.section(ObserveConfig.class));
    new DiskSpaceMetrics(settings.section(DataConfig.class).dir().toFile())
        .bindTo(metrics.registry());
    redis = new Redis(endpoints.redis());
    redisHealth = new RedisHealth(redis);
    jobs = settings.section(JobsConfig.class);
    store = new JobStore(redis, jobs, clock);

    var parts = new ArrayList<Service>(List.of(redisHealth));
    var checks = new LinkedHashMap<String, HealthCheck>();
    checks.put("redis", redisHealth::ping);
    if (!roles.equals(Set.of(Role.WORKER))) {
      var brokers = new Brokers(endpoints);
      parts.add(brokers);
      checks.putAll(brokers.checks());
    }
    var routes = new ArrayList<Routes>(List.of(new MetricsRoutes(metrics)));
    if (roles.contains(Role.INDEXER)) addIndexer(parts);
    if (roles.contains(Role.CRAWLER)) addCrawler(parts, checks);
    if (roles.contains(Role.WORKER)) addWorker(parts);
    if (roles.contains(Role.GATEWAY)) addGateway(parts, routes, checks);
    routes.add(new Health(checks, clock));
    http =
        new HttpServer(
            httpConfig(), settings.section(ApiConfig.class), routes, metrics, traces, clock);
    parts.add(http); // the last to start and the first to stop: nobody is let in too early
    services = new Services(parts);
  }

  private void addCrawler(List<Service> parts, Map<String, HealthCheck> checks) {
    var role =
        new CrawlerRole(
            new CrawlerRole.Config(
                settings.section(CrawlerConfig.class),
                settings.section(FetchConfig.class),
                settings.section(UrlConfig.class),
                settings.section(ScopeConfig.class),
                settings.section(TrapConfig.class),
                settings.section(DocumentConfig.class)),
            new CrawlerRole.Servers(redis, endpoints.kafka(), endpoints.amqp(), endpoints.s3()),
            traces,
            metrics.registry(),
            clock);
    parts.add(role);
    checks.put("crawler", role.health());
  }

  private void addIndexer(List<Service> parts) {
    var index =
        new LuceneIndex(IndexFolder.of(settings), settings.section(SearchConfig.class), clock);
    var letters = new Publisher(endpoints.amqp(), "indexer", metrics.registry());
    closing.add(index);
    closing.add(letters);
    parts.add(
        new PageIndexer(
            settings.section(IndexerConfig.class),
            endpoints.amqp(),
            index,
            letters,
            clock,
            metrics.registry()));
  }

  private void addSearch(
      List<Service> parts, List<Routes> routes, Map<String, StatusRoutes.Report> reports) {
    var config = settings.section(SearchConfig.class);
    var pages = new PageSearch(IndexFolder.of(settings), config, clock);
    var publisher = new Publisher(endpoints.amqp(), "gateway", metrics.registry());
    closing.add(pages);
    closing.add(publisher);
    routes.add(new SearchRoutes(pages, config));
    var queues = List.of(PageNames.QUEUE, PageNames.GONE, PageNames.DEAD);
    var depths = new QueueInfo(endpoints.amqp(), queues, metrics.registry());
    parts.add(depths);
    reports.put("queues", out -> queues.forEach(name -> report(depths, name, out)));
    reports.put("index", out -> report(pages.stats(), out));
    var normaliser = new UrlNormaliser(settings.section(UrlConfig.class));
    routes.add(
        new PageRoutes(
            pages,
            new QueuedRemovals(publisher, clock),
            text -> WebUrl.parse(text).map(normaliser::normalise)));
  }

  private static void report(QueueInfo depths, String queue, ObjectNode out) {
    depths.depth(queue).ifPresent(depth -> out.put(queue, depth.messages()));
  }

  private static void report(IndexStats stats, ObjectNode out) {
    out.put("documents", stats.documents()).put("bytes", stats.bytes());
    if (stats.committedAt() != null) out.put("committedAt", stats.committedAt().toString());
  }

  private void addGateway(
      List<Service> parts, List<Routes> routes, Map<String, HealthCheck> checks) {
    var tail = new StreamTail(redis, TAIL_CONNECTIONS, metrics.registry());
    parts.add(tail);
    if (!endpoints.kafka().bootstrap().isEmpty()) {
      var desk =
          new CrawlDesk(
              settings.section(CrawlsConfig.class),
              redis,
              endpoints.kafka(),
              tail,
              metrics.registry(),
              clock);
      parts.add(desk);
      checks.put("crawls", desk.health());
      routes.add(desk.routes());
    }
    var reports = new LinkedHashMap<String, StatusRoutes.Report>();
    if (!endpoints.amqp().url().isEmpty()) addSearch(parts, routes, reports);
    var submissions = new Submissions(store, jobs, redisHealth, metrics.registry());
    routes.add(new JobRoutes(jobs, submissions, store, new JobEvents(store, tail, jobs, clock)));
    var dead = new DeadJobs(redis, jobs, clock);
    routes.add(new DeadRoutes(dead, jobs));
    routes.add(
        new StatusRoutes(
            new JobQueue(redis, jobs),
            dead,
            redisHealth,
            roles.stream().map(Role::wire).toList(),
            Version.current(),
            reports));
    routes.add(new OpenApiRoutes(Version.current()));
    // The group exists before the first job does, whoever comes first (F22).
    parts.add(new GroupStart(source("gateway")));
  }

  private void addWorker(List<Service> parts) {
    var config = settings.section(WorkerConfig.class);
    var plugins = settings.section(DataConfig.class).plugins();
    var networks = settings.section(CrawlerConfig.class).allowNetworks();
    var fetcher =
        new Fetcher(
            "tools",
            settings.section(FetchConfig.class),
            networks.stream().map(Cidr::parse).toList(),
            Names.system(),
            metrics.registry());
    closing.add(fetcher);
    var handlers = Handlers.find(plugins, List.of(new HttpGetTool(fetcher)));
    var source = source(WorkerName.unique());
    var worker = new JobWorker(config, source, store, handlers, traces, metrics.registry());
    parts.add(worker);
    parts.add(new Channel(redis, JobNames.CANCEL_CHANNEL, worker::cancel));
  }

  private StreamSource source(String consumer) {
    var lease = settings.section(WorkerConfig.class).lease();
    return new StreamSource(
        redis, jobs.stream(), jobs.group(), consumer, lease, metrics.registry());
  }

  // Without the gateway only health and metrics are served: several such processes share a machine.
  private HttpConfig httpConfig() {
    var config = settings.section(HttpConfig.class);
    var isDefault =
        settings.entries().stream()
            .anyMatch(entry -> entry.key().equals("http.port") && entry.source().equals("default"));
    return !roles.contains(Role.GATEWAY) && isDefault ? config.withPort(0) : config;
  }

  void start() {
    services.start();
  }

  Addresses addresses() {
    return new Addresses(
        http.url(),
        endpoints.kafka().bootstrap(),
        endpoints.redis().url(),
        endpoints.amqp().url(),
        endpoints.s3().endpoint());
  }

  Set<Role> roles() {
    return roles;
  }

  @Override
  public void close() {
    services.close();
    closing.reversed().forEach(Instance::closeQuietly);
    redis.close();
    traces.close();
    metrics.close();
  }

  private static void closeQuietly(AutoCloseable client) {
    try {
      client.close();
    } catch (Exception gone) {
      log.debug("a client was gone already: {}", gone.getMessage());
    }
  }
}
