package io.tidemill.app.wiring;

import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.cli.client.Version;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.crawl.FailedPageStore;
import io.tidemill.crawl.UrlConfig;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.deadletter.redrive.RedriveRunner;
import io.tidemill.deadletter.redrive.RedriveStore;
import io.tidemill.deadletter.source.PageDeadLetters;
import io.tidemill.deadletter.source.RestartResults;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.ContractRoutes;
import io.tidemill.gateway.StatusRoutes;
import io.tidemill.gateway.analytics.AnalyticsRoutes;
import io.tidemill.gateway.crawl.CrawlModule;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.gateway.deadletter.DeadLetterRoutes;
import io.tidemill.gateway.deadletter.DeadQueueModule;
import io.tidemill.gateway.deadletter.DeadTopicModule;
import io.tidemill.gateway.deadletter.RedriveRoutes;
import io.tidemill.gateway.file.CrawlFileRoutes;
import io.tidemill.gateway.file.FileDownload;
import io.tidemill.gateway.file.ResultFileRoutes;
import io.tidemill.gateway.file.ResultFiles;
import io.tidemill.gateway.job.JobModule;
import io.tidemill.gateway.mcp.McpConfig;
import io.tidemill.gateway.mcp.McpRoutes;
import io.tidemill.gateway.search.PageRoutes;
import io.tidemill.gateway.search.QueuedRemovals;
import io.tidemill.gateway.search.SearchRoutes;
import io.tidemill.gateway.workflow.WorkflowModule;
import io.tidemill.http.BasePath;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.PublicUrl;
import io.tidemill.http.access.SessionRoutes;
import io.tidemill.job.JobCallStore;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.IsoTime;
import io.tidemill.kafka.inspect.ClusterInspector.TopicState;
import io.tidemill.kafka.inspect.TopicMeters;
import io.tidemill.lucene.SearchException;
import io.tidemill.observe.Reading;
import io.tidemill.processor.export.ExportConfig;
import io.tidemill.processor.record.RecordsConfig;
import io.tidemill.provision.ContractProvisioner;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.s3.ObjectStore;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.IndexStats;
import io.tidemill.search.passage.PassageStats;
import io.tidemill.search.query.PageSearch;
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
  private final FileDownload downloads;
  private @Nullable QueueMeters queues;

  GatewayWiring(Parts parts, Set<Role> roles) {
    this.parts = parts;
    this.roles = roles;
    jobs = parts.section(JobsConfig.class);
    store = parts.jobStore();
    downloads = new FileDownload(parts.close(new ObjectStore(parts.endpoints().s3())));
  }

  void add() {
    var tail = new StreamTail(parts.redis(), TAIL_CONNECTIONS, parts.registry());
    parts.add(tail);
    var deadLetters = new LinkedHashMap<String, DeadLetterSource>();
    var reports = new LinkedHashMap<String, StatusRoutes.Report>();
    WorkflowModule workflows = null;
    AmqpPublisher publisher = null;
    if (!parts.endpoints().kafka().bootstrap().isEmpty()) {
      deadLetters.put(PageDeadLetters.NAME, failedPages(addCrawls(tail)));
      workflows = addWorkflows(tail, reports);
      deadLetters.putAll(deadTopics(workflows).sources());
      addTopics(reports);
    }
    if (!parts.endpoints().amqp().url().isEmpty()) {
      publisher =
          parts.close(new AmqpPublisher(parts.endpoints().amqp(), "gateway", parts.registry()));
      addSearch(publisher, reports);
      deadLetters.putAll(deadQueues(publisher).sources());
    }
    parts.route(
        new AnalyticsRoutes(
            parts.hasAnalytics(roles) ? parts.analytics() : null,
            workflows == null ? null : workflows.tasks()));
    addJobs(tail);
    var catalog = new DeadLetterCatalog(parts.redis(), jobs, parts.clock(), deadLetters);
    addDead(catalog);
    addStatus(reports);
    parts.route(new SessionRoutes(parts.keys(), Version.current()));
    new DashboardWiring(parts, roles, jobs).add(queues, publisher, catalog);
    parts.route(
        new ContractRoutes(
            Version.current(), new BasePath(parts.section(HttpConfig.class).basePath())));
  }

  private void addStatus(Map<String, StatusRoutes.Report> reports) {
    parts.route(
        new StatusRoutes(
            new JobQueueInspector(parts.redis(), jobs),
            new DeadJobStore(parts.redis(), jobs, parts.clock()),
            parts.redisHealth(),
            roles.stream().map(Role::wire).toList(),
            Version.current(),
            reports));
  }

  private CrawlModule addCrawls(StreamTail tail) {
    var module =
        new CrawlModule(
            parts.section(CrawlsConfig.class),
            parts.redis(),
            parts.endpoints().kafka(),
            tail,
            parts.traces(),
            parts.registry(),
            parts.clock());
    parts.add(module);
    parts.check("crawls", module.health());
    parts.route(module.routes());
    parts.route(
        new CrawlFileRoutes(
            new CrawlStore(parts.redis(), parts.section(CrawlsConfig.class).keep(), parts.clock()),
            downloads,
            parts.section(CrawlerConfig.class).bucket(),
            PublicUrl.of(parts.section(HttpConfig.class))));
    return module;
  }

  private DeadLetterSource failedPages(CrawlModule crawls) {
    return new PageDeadLetters(
        new FailedPageStore(parts.redis()),
        new HandledDeadLetterStore(parts.redis()),
        RestartResults.pages(crawls.routes()::fetchAgain),
        parts.clock());
  }

  private void addDead(DeadLetterCatalog catalog) {
    var redrives = new RedriveStore(parts.redis(), REDRIVE_LEASE, REDRIVES_KEPT);
    parts.route(new DeadLetterRoutes(catalog));
    parts.route(new RedriveRoutes(redrives, catalog));
    parts.add(new RedriveRunner(redrives, catalog));
  }

  private void addJobs(StreamTail tail) {
    var module =
        new JobModule(
            jobs,
            parts.section(CompatConfig.class),
            parts.redis(),
            parts.redisHealth(),
            store,
            tail,
            parts.registry(),
            parts.clock());
    parts.add(module);
    module.routes().forEach(parts::route);
    parts.route(
        new McpRoutes(
            parts.section(McpConfig.class),
            jobs,
            module.submitter(),
            new McpRoutes.Stores(store, module.tools(), new JobCallStore(parts.redis()), tail),
            Version.current()));
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
    var depths = new QueueMeters(parts.endpoints().amqp(), queues, parts.registry());
    parts.add(depths);
    this.queues = depths;
    reports.put("queues", out -> report(depths.queues(), queues, out));
    reports.put("index", out -> report(pages, out));
    if (parts.embedder().isEnabled()) {
      reports.put("vectors", out -> report(pages.passageStats(), out));
    }
    var normaliser = new UrlNormaliser(parts.section(UrlConfig.class).rules());
    parts.route(
        new PageRoutes(
            pages,
            new QueuedRemovals(publisher, parts.clock())::remove,
            text -> WebUrl.parse(text).map(normaliser::normalise)));
  }

  private static void report(
      Reading<Map<String, QueueMeters.QueueState>> found, List<String> queues, ObjectNode out) {
    if (found.isFailed()) throw new IllegalStateException(found.problem());
    var depths = found.value() == null ? Map.<String, QueueMeters.QueueState>of() : found.value();
    for (var queue : queues) {
      var depth = depths.get(queue);
      if (depth != null) out.put(queue, depth.messages());
    }
  }

  private static void report(PageSearch pages, ObjectNode out) {
    IndexStats stats;
    try {
      stats = pages.stats();
    } catch (SearchException unreadable) {
      out.put("problem", unreadable.getMessage());
      return;
    }
    out.put("documents", stats.documents()).put("bytes", stats.bytes());
    if (stats.committedAt() != null) out.put("committedAt", IsoTime.text(stats.committedAt()));
  }

  private static void report(PassageStats stats, ObjectNode out) {
    out.put("passages", stats.passages()).put("behind", stats.behind());
  }

  private WorkflowModule addWorkflows(StreamTail tail, Map<String, StatusRoutes.Report> reports) {
    var files =
        new ResultFiles(
            List.of(
                "s3://" + parts.section(ExportConfig.class).bucket() + "/",
                "s3://" + parts.section(RecordsConfig.class).bucket() + "/rejects/"),
            PublicUrl.of(parts.section(HttpConfig.class)));
    var module =
        new WorkflowModule(
            parts.section(WorkflowsConfig.class),
            parts.section(CompatConfig.class),
            parts.redis(),
            parts.endpoints().kafka(),
            tail,
            files,
            parts.traces(),
            parts.registry(),
            parts.clock());
    parts.add(module);
    parts.check("flows", module.health());
    parts.route(module.routes());
    parts.route(
        new ResultFileRoutes(
            executions(ExecutionKind.WORKFLOW), executions(ExecutionKind.TASK), files, downloads));
    for (var kind : ExecutionKind.values()) {
      reports.put(kind.topic(), out -> module.report(kind, out));
    }
    return module;
  }

  private ExecutionStore executions(ExecutionKind kind) {
    return new ExecutionStore(
        parts.redis(), kind, parts.section(WorkflowsConfig.class), parts.clock());
  }

  private void addTopics(Map<String, StatusRoutes.Report> reports) {
    var info =
        new TopicMeters(
            parts.endpoints().kafka(),
            ContractProvisioner.allTopics(),
            ContractProvisioner.GROUPS,
            parts.registry());
    parts.add(info);
    reports.put("topics", out -> info.topics().forEach((name, topic) -> report(name, topic, out)));
    reports.put("groups", out -> info.lags().forEach(out::put));
  }

  private static void report(String name, TopicState topic, ObjectNode out) {
    out.putObject(name)
        .put("messages", topic.messages())
        .put("bytes", topic.bytes())
        .put("partitions", topic.partitions().size())
        .put("underReplicated", topic.underReplicated());
  }

  private DeadTopicModule deadTopics(WorkflowModule workflows) {
    var module =
        new DeadTopicModule(
            parts.endpoints().kafka(),
            parts.redis(),
            executions(ExecutionKind.TASK),
            RestartResults.tasks(workflows.taskStarter()),
            parts.clock());
    return parts.close(module);
  }
}
