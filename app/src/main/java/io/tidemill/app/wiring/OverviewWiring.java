package io.tidemill.app.wiring;

import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.cli.client.Version;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.crawl.FrontierInspector;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.dashboard.overview.OverviewInspector;
import io.tidemill.dashboard.overview.OverviewRoutes;
import io.tidemill.dashboard.overview.OverviewSampler;
import io.tidemill.dashboard.overview.ServerState;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.deadletter.source.JobDeadLetters;
import io.tidemill.gateway.HostRoutes;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobsConfig;
import io.tidemill.kafka.inspect.GroupInspector;
import io.tidemill.llm.LlmConfig;
import io.tidemill.llm.ModelProbe;
import io.tidemill.observe.Reading;
import io.tidemill.presence.PresenceStore;
import io.tidemill.processor.mail.SmtpConfig;
import io.tidemill.redis.RedisClock;
import io.tidemill.redis.RedisException;
import io.tidemill.service.HealthCheck;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The overview of the gateway: what it inspects, and how often.
final class OverviewWiring {
  private static final Duration OFTEN = Duration.ofSeconds(3);
  private static final Duration SELDOM = Duration.ofSeconds(6);
  private static final Duration RARELY = Duration.ofMinutes(1);
  private static final int SMTP_PORT = 25;
  private static final int SMTPS_PORT = 465;

  private final Parts parts;
  private final Set<Role> roles;
  private final @Nullable QueueMeters queues;
  private final DeadLetterCatalog dead;
  private final PresenceStore presence;
  private final FrontierInspector frontier;

  OverviewWiring(
      Parts parts, Set<Role> roles, @Nullable QueueMeters queues, DeadLetterCatalog dead) {
    this.parts = parts;
    this.roles = roles;
    this.queues = queues;
    this.dead = dead;
    presence = new PresenceStore(parts.redis());
    var crawler = parts.section(CrawlerConfig.class);
    frontier = new FrontierInspector(parts.redis(), crawler.defaultDelay(), crawler.perHost());
  }

  void add() {
    var jobs = parts.section(JobsConfig.class);
    var kafka = parts.endpoints().kafka();
    var progress =
        kafka.bootstrap().isEmpty()
            ? null
            : parts.close(new GroupInspector(kafka, OverviewInspector.subscriptions()));
    var sampler =
        new OverviewSampler(
            new OverviewInspector(
                new OverviewInspector.Sources(
                    presence,
                    new JobQueueInspector(parts.redis(), jobs),
                    frontier,
                    executions(ExecutionKind.WORKFLOW),
                    executions(ExecutionKind.TASK),
                    progress,
                    queues,
                    this::dead,
                    servers(),
                    stores()),
                parts.clock()),
            frontier,
            parts.redisHealth()::memoryShare,
            new OverviewSampler.Settings(
                Version.current(), jobs.stream(), jobs.maxWaiting(), jobs.maxMemory()),
            () -> {
              if (progress != null) progress.close();
            });
    parts.add(sampler);
    parts.route(new OverviewRoutes(sampler));
    var keep = parts.section(CrawlsConfig.class).keep();
    parts.route(new HostRoutes(frontier, new CrawlStore(parts.redis(), keep, parts.clock())));
  }

  private ExecutionStore executions(ExecutionKind kind) {
    return new ExecutionStore(
        parts.redis(),
        kind,
        parts.section(WorkflowsConfig.class),
        new RedisClock(parts.redis(), parts.clock()));
  }

  // As the list of dead letters counts them; sources that do not answer are left out.
  private Map<String, Long> dead() {
    var waiting = new LinkedHashMap<String, Long>();
    for (var source : dead.counted()) {
      var isJobs = source.source().equals(JobDeadLetters.NAME);
      var channel = isJobs ? "jobs:stream" : source.source();
      if (source.trouble() == null) waiting.put(channel, source.waiting());
    }
    return waiting;
  }

  private List<ServerState> servers() {
    var endpoints = parts.endpoints();
    var servers = new ArrayList<ServerState>();
    servers.add(checked("kafka", endpoints.kafka().bootstrap(), OFTEN));
    servers.add(checked("redis", endpoints.redis().url(), Duration.ZERO));
    servers.add(checked("amqp", endpoints.amqp().url(), Duration.ZERO));
    servers.add(checked("s3", endpoints.s3().endpoint(), OFTEN));
    servers.add(
        endpoints.amqp().url().isEmpty()
            ? ServerState.off("index")
            : new ServerState(
                "index",
                "",
                () -> Reading.of(parts.pages().stats().documents() + " pages"),
                SELDOM));
    servers.add(new ServerState("analytics", "", this::analytics, SELDOM));
    var llm = parts.section(LlmConfig.class);
    servers.add(checked("llm", llm.url(), () -> model(llm), RARELY));
    var smtp = parts.section(SmtpConfig.class);
    servers.add(checked("smtp", smtp.url(), () -> mail(smtp.url()), RARELY));
    return servers;
  }

  private ServerState checked(String name, String address, Duration every) {
    return checked(name, address, parts.checks.get(name), every);
  }

  private static ServerState checked(
      String name, String address, @Nullable HealthCheck check, Duration every) {
    return address.isEmpty() || check == null
        ? ServerState.off(name)
        : new ServerState(name, shown(address), () -> Reading.of(check.check()), every);
  }

  // Passwords are removed.
  private static String shown(String address) {
    return address.replaceAll("//[^/@\\s]*@", "//");
  }

  // The file belongs to the process of the collector, which reports its state when it is another.
  private Reading<String> analytics() {
    if (parts.hasAnalytics(roles)) {
      parts.analytics().ping();
      return Reading.of("answers");
    }
    for (var seen : others()) {
      var check = seen.process().checks().get("analytics");
      if (seen.isGone() || check == null) continue;
      if (!check.isUp() && seen.process().isStarting()) return Reading.pending();
      if (!check.isUp()) return Reading.failed(check.detail());
      return Reading.of("%s, says %s".formatted(check.detail(), seen.process().name()));
    }
    return Reading.of(""); // no process has it open
  }

  private List<PresenceStore.Seen> others() {
    try {
      return presence.snapshot().processes();
    } catch (RedisException silent) {
      throw new IllegalStateException("not known: who has it open tells so by Redis", silent);
    }
  }

  private static String model(LlmConfig config) throws InterruptedException {
    var found = ModelProbe.probe(config);
    if (found.state() == ModelProbe.State.UNUSABLE) {
      throw new IllegalStateException(found.what() + "; " + found.advice());
    }
    return found.what();
  }

  private static String mail(String url) throws IOException {
    var uri = URI.create(url);
    var usual = "smtps".equals(uri.getScheme()) ? SMTPS_PORT : SMTP_PORT;
    var port = uri.getPort() > 0 ? uri.getPort() : usual;
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(uri.getHost(), port), 1_000);
      return "answers";
    }
  }

  private Map<String, OverviewInspector.StoreSource> stores() {
    var stores = new LinkedHashMap<String, OverviewInspector.StoreSource>();
    if (!parts.endpoints().amqp().url().isEmpty()) {
      stores.put("index", new OverviewInspector.StoreSource(SELDOM, index()));
    }
    if (parts.hasAnalytics(roles)) {
      stores.put(
          "analytics",
          new OverviewInspector.StoreSource(
              RARELY, () -> Map.of("items", parts.analytics().items())));
    }
    return stores;
  }

  private Callable<Map<String, Long>> index() {
    return () -> {
      var stats = parts.pages().stats();
      var figures = new LinkedHashMap<String, Long>();
      figures.put("documents", stats.documents());
      figures.put("bytes", stats.bytes());
      if (parts.embedder().isEnabled()) {
        figures.put("behind", parts.pages().passageStats().behind());
      }
      return figures;
    };
  }
}
