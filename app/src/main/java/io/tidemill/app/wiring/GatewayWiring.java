package io.tidemill.app.wiring;

import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.cli.client.Version;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.crawl.FailedPageStore;
import io.tidemill.crawl.UrlConfig;
import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.deadletter.redrive.RedriveRunner;
import io.tidemill.deadletter.redrive.RedriveStore;
import io.tidemill.deadletter.source.PageDeadLetters;
import io.tidemill.deadletter.source.RestartResults;
import io.tidemill.gateway.ContractRoutes;
import io.tidemill.gateway.OpenApiRoutes;
import io.tidemill.gateway.StatusRoutes;
import io.tidemill.gateway.ToolRoutes;
import io.tidemill.gateway.analytics.AnalyticsRoutes;
import io.tidemill.gateway.crawl.CrawlModule;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.gateway.deadletter.DeadLetterRoutes;
import io.tidemill.gateway.deadletter.DeadQueueModule;
import io.tidemill.gateway.deadletter.DeadTopicModule;
import io.tidemill.gateway.deadletter.RedriveRoutes;
import io.tidemill.gateway.job.JobEvents;
import io.tidemill.gateway.job.JobRoutes;
import io.tidemill.gateway.mcp.McpConfig;
import io.tidemill.gateway.mcp.McpRoutes;
import io.tidemill.gateway.search.PageRoutes;
import io.tidemill.gateway.search.QueuedRemovals;
import io.tidemill.gateway.search.SearchRoutes;
import io.tidemill.gateway.workflow.WorkflowModule;
import io.tidemill.http.access.SessionRoutes;
import io.tidemill.job.JobCallStore;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobSubmitter;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.ToolRegistry;
import io.tidemill.kafka.inspect.TopicMeters;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.IndexStats;
import io.tidemill.search.passage.PassageStats;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
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
  private @Nullable TopicMeters topics;
  private @Nullable QueueMeters queues;

  GatewayWiring(Parts parts, Set<Role> roles) {
    this.parts = parts;
    this.roles = roles;
    jobs = parts.section(JobsConfig.class);
    store = parts.jobStore();
  }

  void add() {
    var tail = new StreamTail(parts.redis(), TAIL_CONNECTIONS, parts.metrics().registry());
    parts.add(tail);
    var letters = new LinkedHashMap<String, DeadLetterSource>();
    if (!parts.endpoints().kafka().bootstrap().isEmpty()) {
      var desk =
          new CrawlModule(
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
          PageDeadLetters.NAME,
          new PageDeadLetters(
              new FailedPageStore(parts.redis()),
              new HandledDeadLetterStore(parts.redis()),
              RestartResults.pages(desk.routes()::fetchAgain),
              parts.clock()));
    }
    var reports = new LinkedHashMap<String, StatusRoutes.Report>();
    WorkflowModule flows = null;
    AmqpPublisher publisher = null;
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
    parts.route(
        new AnalyticsRoutes(
            parts.hasAnalytics(roles) ? parts.analytics() : null,
            flows == null ? null : flows.tasks()));
    var submitter = new JobSubmitter(store, jobs, parts.redisHealth(), parts.metrics().registry());
    parts.route(
        new JobRoutes(jobs, submitter, store, new JobEvents(store, tail, jobs, parts.clock())));
    addTools(submitter, tail);
    var dead = new DeadJobStore(parts.redis(), jobs, parts.clock());
    addDead(new DeadLetterCatalog(parts.redis(), jobs, parts.clock(), letters));
    parts.route(
        new StatusRoutes(
            new JobQueueInspector(parts.redis(), jobs),
            dead,
            parts.redisHealth(),
            roles.stream().map(Role::wire).toList(),
            Version.current(),
            reports));
    parts.route(new SessionRoutes(parts.keys(), Version.current()));
    new DashboardWiring(parts, roles, jobs)
        .add(topics, queues, publisher, letters.get(PageDeadLetters.NAME));
    parts.route(new OpenApiRoutes(Version.current()));
    parts.route(new ContractRoutes(Version.current()));
    // The group exists before the first job does, whoever comes first (F22).
    parts.add(new GroupStart(parts.jobs("gateway")));
  }

  private void addDead(DeadLetterCatalog letters) {
    var runs = new RedriveStore(parts.redis(), REDRIVE_LEASE, REDRIVES_KEPT);
    parts.route(new DeadLetterRoutes(letters));
    parts.route(new RedriveRoutes(runs, letters));
    parts.add(new RedriveRunner(runs, letters));
  }

  private void addTools(JobSubmitter submitter, StreamTail tail) {
    var tools = new ToolRegistry(parts.redis(), jobs);
    parts.route(new ToolRoutes(tools));
    parts.route(
        new McpRoutes(
            parts.section(McpConfig.class),
            jobs,
            submitter,
            new McpRoutes.Stores(store, tools, new JobCallStore(parts.redis()), tail),
            Version.current()));
  }

  private AmqpPublisher publisher() {
    return parts.close(
        new AmqpPublisher(parts.endpoints().amqp(), "gateway", parts.metrics().registry()));
  }

  private DeadQueueModule deadQueues(AmqpPublisher publisher) {
    return parts.close(
        new DeadQueueModule(parts.endpoints().amqp(), publisher, parts.redis(), parts.clock()));
  }

  private void addSearch(AmqpPublisher publisher, Map<String, StatusRoutes.Report> reports) {
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
    var depths = new QueueMeters(parts.endpoints().amqp(), queues, parts.metrics().registry());
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

  private static void report(QueueMeters depths, String queue, ObjectNode out) {
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

  private WorkflowModule addFlows(StreamTail tail, Map<String, StatusRoutes.Report> reports) {
    var desk =
        new WorkflowModule(
            parts.section(WorkflowsConfig.class),
            parts.redis(),
            parts.endpoints().kafka(),
            tail,
            parts.traces(),
            parts.metrics().registry(),
            parts.clock());
    parts.add(desk);
    parts.check("flows", desk.health());
    parts.route(desk.routes());
    for (var kind : ExecutionKind.values())
      reports.put(kind.topic(), out -> desk.report(kind, out));
    return desk;
  }

  private void addTopics(Map<String, StatusRoutes.Report> reports) {
    var info =
        new TopicMeters(
            parts.endpoints().kafka(),
            Provision.allTopics(),
            Provision.GROUPS,
            parts.metrics().registry());
    parts.add(info);
    topics = info;
    reports.put("topics", out -> info.topics().forEach((name, topic) -> report(name, topic, out)));
    reports.put("groups", out -> info.lags().forEach(out::put));
  }

  private static void report(String name, TopicMeters.Topic topic, ObjectNode out) {
    out.putObject(name)
        .put("messages", topic.messages())
        .put("bytes", topic.bytes())
        .put("partitions", topic.partitions())
        .put("underReplicated", topic.underReplicated());
  }

  private DeadTopicModule deadLetters(WorkflowModule flows) {
    var tasks =
        new ExecutionStore(
            parts.redis(), ExecutionKind.TASK, parts.section(WorkflowsConfig.class), parts.clock());
    var desk =
        new DeadTopicModule(
            parts.endpoints().kafka(),
            parts.redis(),
            tasks,
            RestartResults.tasks(flows.taskStarter()),
            parts.clock());
    parts.close(desk);
    return desk;
  }
}
