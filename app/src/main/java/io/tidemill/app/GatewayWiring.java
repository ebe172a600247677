package io.tidemill.app;

import io.tidemill.broker.amqp.Publisher;
import io.tidemill.broker.amqp.QueueInfo;
import io.tidemill.broker.kafka.TopicInfo;
import io.tidemill.broker.streams.StreamTail;
import io.tidemill.cli.Version;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.page.PageNames;
import io.tidemill.gateway.AnalyticsRoutes;
import io.tidemill.gateway.ContractRoutes;
import io.tidemill.gateway.CrawlDesk;
import io.tidemill.gateway.CrawlsConfig;
import io.tidemill.gateway.FlowDesk;
import io.tidemill.gateway.JobEvents;
import io.tidemill.gateway.JobRoutes;
import io.tidemill.gateway.McpConfig;
import io.tidemill.gateway.McpRoutes;
import io.tidemill.gateway.OpenApiRoutes;
import io.tidemill.gateway.PageRoutes;
import io.tidemill.gateway.QueuedRemovals;
import io.tidemill.gateway.SearchRoutes;
import io.tidemill.gateway.StatusRoutes;
import io.tidemill.gateway.Submissions;
import io.tidemill.gateway.ToolRoutes;
import io.tidemill.gateway.dead.DeadDesk;
import io.tidemill.gateway.dead.DeadPages;
import io.tidemill.gateway.dead.DeadQueues;
import io.tidemill.gateway.dead.DeadRoutes;
import io.tidemill.gateway.dead.DeadSource;
import io.tidemill.gateway.dead.Letters;
import io.tidemill.gateway.dead.RedriveRoutes;
import io.tidemill.gateway.dead.RedriveRunner;
import io.tidemill.http.SessionRoutes;
import io.tidemill.store.redis.CallStore;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.FailedPages;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.HandledLetters;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.JobStore;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.Redrives;
import io.tidemill.store.redis.ToolStore;
import io.tidemill.store.search.IndexStats;
import io.tidemill.store.search.PassageStats;
import io.tidemill.store.search.SearchConfig;
import io.tidemill.url.UrlConfig;
import io.tidemill.url.UrlNormaliser;
import io.tidemill.url.WebUrl;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The gateway role: every route, and what stands behind it.
final class GatewayWiring {
  private static final int TAIL_CONNECTIONS = 2;
  private static final Duration REDRIVE_LEASE = Duration.ofSeconds(20);
  private static final Duration REDRIVES_KEPT = Duration.ofDays(7);

  private final Parts parts;
  private final Set<Role> roles;
  private final JobsConfig jobs;
  private final JobStore store;
  private @Nullable TopicInfo topics;
  private @Nullable QueueInfo queues;

  GatewayWiring(Parts parts, Set<Role> roles) {
    this.parts = parts;
    this.roles = roles;
    jobs = parts.section(JobsConfig.class);
    store = parts.jobStore();
  }

  void add() {
    var tail = new StreamTail(parts.redis(), TAIL_CONNECTIONS, parts.metrics().registry());
    parts.add(tail);
    var letters = new LinkedHashMap<String, DeadSource>();
    if (!parts.endpoints().kafka().bootstrap().isEmpty()) {
      var desk =
          new CrawlDesk(
              parts.section(CrawlsConfig.class),
              parts.redis(),
              parts.endpoints().kafka(),
              tail,
              parts.traces(),
              parts.metrics().registry(),
              parts.clock());
      parts.add(desk);
      parts.check("crawls", desk.health());
      parts.route(desk.routes());
      letters.put(
          DeadPages.NAME,
          new DeadPages(
              new FailedPages(parts.redis()),
              new HandledLetters(parts.redis()),
              desk::fetch,
              parts.clock()));
    }
    var reports = new LinkedHashMap<String, StatusRoutes.Report>();
    FlowDesk flows = null;
    Publisher publisher = null;
    if (!parts.endpoints().kafka().bootstrap().isEmpty()) {
      flows = addFlows(tail, reports);
      letters.putAll(deadLetters(flows).sources());
      addTopics(reports);
    }
    if (!parts.endpoints().amqp().url().isEmpty()) {
      publisher = publisher();
      addSearch(publisher, reports);
      letters.putAll(deadQueues(publisher).sources());
    }
    parts.route(new AnalyticsRoutes(parts.hasAnalytics(roles) ? parts.analytics() : null, flows));
    var submissions = new Submissions(store, jobs, parts.redisHealth(), parts.metrics().registry());
    var jobRoutes =
        new JobRoutes(jobs, submissions, store, new JobEvents(store, tail, jobs, parts.clock()));
    parts.route(jobRoutes);
    addTools(jobRoutes, tail);
    var dead = new DeadJobs(parts.redis(), jobs, parts.clock());
    addDead(new Letters(parts.redis(), jobs, parts.clock(), letters));
    parts.route(
        new StatusRoutes(
            new JobQueue(parts.redis(), jobs),
            dead,
            parts.redisHealth(),
            roles.stream().map(Role::wire).toList(),
            Version.current(),
            reports));
    parts.route(new SessionRoutes(parts.keys(), Version.current()));
    new DashboardWiring(parts, roles, jobs)
        .add(topics, queues, publisher, letters.get(DeadPages.NAME));
    parts.route(new OpenApiRoutes(Version.current()));
    parts.route(new ContractRoutes(Version.current()));
    // The group exists before the first job does, whoever comes first (F22).
    parts.add(new GroupStart(parts.jobs("gateway")));
  }

  private void addDead(Letters letters) {
    var runs = new Redrives(parts.redis(), REDRIVE_LEASE, REDRIVES_KEPT);
    parts.route(new DeadRoutes(letters));
    parts.route(new RedriveRoutes(runs, letters));
    parts.add(new RedriveRunner(runs, letters));
  }

  private void addTools(JobRoutes jobRoutes, StreamTail tail) {
    var tools = new ToolStore(parts.redis(), jobs);
    parts.route(new ToolRoutes(tools));
    parts.route(
        new McpRoutes(
            parts.section(McpConfig.class),
            jobs,
            jobRoutes,
            new McpRoutes.Stores(store, tools, new CallStore(parts.redis()), tail),
            Version.current()));
  }

  private Publisher publisher() {
    return parts.close(
        new Publisher(parts.endpoints().amqp(), "gateway", parts.metrics().registry()));
  }

  private DeadQueues deadQueues(Publisher publisher) {
    return parts.close(
        new DeadQueues(parts.endpoints().amqp(), publisher, parts.redis(), parts.clock()));
  }

  private void addSearch(Publisher publisher, Map<String, StatusRoutes.Report> reports) {
    var config = parts.section(SearchConfig.class);
    var pages = parts.pages();
    pages.warm();
    parts.route(new SearchRoutes(pages, config));
    var queues =
        List.of(
            PageNames.QUEUE,
            PageNames.GONE,
            PageNames.DEAD,
            CollectedNames.QUEUE,
            CollectedNames.DEAD);
    var depths = new QueueInfo(parts.endpoints().amqp(), queues, parts.metrics().registry());
    parts.add(depths);
    this.queues = depths;
    reports.put("queues", out -> queues.forEach(name -> report(depths, name, out)));
    reports.put("index", out -> report(pages.stats(), out));
    if (parts.embedder().isEnabled()) {
      reports.put("vectors", out -> report(pages.passageStats(), out));
    }
    var normaliser = new UrlNormaliser(parts.section(UrlConfig.class).rules());
    parts.route(
        new PageRoutes(
            pages,
            new QueuedRemovals(publisher, parts.clock()),
            text -> WebUrl.parse(text).map(normaliser::normalise)));
  }

  private static void report(QueueInfo depths, String queue, ObjectNode out) {
    if (!depths.trouble().isEmpty()) throw new IllegalStateException(depths.trouble());
    depths.latest(queue).ifPresent(depth -> out.put(queue, depth.messages()));
  }

  private static void report(IndexStats stats, ObjectNode out) {
    out.put("documents", stats.documents()).put("bytes", stats.bytes());
    if (stats.committedAt() != null) out.put("committedAt", stats.committedAt().toString());
  }

  private static void report(PassageStats stats, ObjectNode out) {
    out.put("passages", stats.passages()).put("behind", stats.behind());
  }

  private FlowDesk addFlows(StreamTail tail, Map<String, StatusRoutes.Report> reports) {
    var desk =
        new FlowDesk(
            parts.section(FlowsConfig.class),
            parts.redis(),
            parts.endpoints().kafka(),
            tail,
            parts.traces(),
            parts.metrics().registry(),
            parts.clock());
    parts.add(desk);
    parts.check("flows", desk.health());
    parts.route(desk.routes());
    for (var kind : FlowKind.values()) reports.put(kind.topic(), out -> desk.report(kind, out));
    return desk;
  }

  private void addTopics(Map<String, StatusRoutes.Report> reports) {
    var info =
        new TopicInfo(
            parts.endpoints().kafka(),
            Provision.allTopics(),
            Provision.GROUPS,
            parts.metrics().registry());
    parts.add(info);
    topics = info;
    reports.put("topics", out -> info.topics().forEach((name, topic) -> report(name, topic, out)));
    reports.put("groups", out -> info.lags().forEach(out::put));
  }

  private static void report(String name, TopicInfo.Topic topic, ObjectNode out) {
    out.putObject(name)
        .put("messages", topic.messages())
        .put("bytes", topic.bytes())
        .put("partitions", topic.partitions())
        .put("underReplicated", topic.underReplicated());
  }

  private DeadDesk deadLetters(FlowDesk flows) {
    var tasks =
        new FlowStore(
            parts.redis(), FlowKind.TASK, parts.section(FlowsConfig.class), parts.clock());
    var desk =
        new DeadDesk(
            parts.endpoints().kafka(), parts.redis(), tasks, flows::retryTask, parts.clock());
    parts.close(desk);
    return desk;
  }
}
