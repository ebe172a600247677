package io.tidemill.app.wiring;

import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.inspect.DeadQueueReader;
import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.dashboard.AssetRoutes;
import io.tidemill.dashboard.AuditRoutes;
import io.tidemill.dashboard.TraceRoutes;
import io.tidemill.dashboard.recordsearch.FindConfig;
import io.tidemill.dashboard.recordsearch.RecordIndexer;
import io.tidemill.dashboard.recordsearch.RecordSearchRoutes;
import io.tidemill.dashboard.recordsearch.RecordSources;
import io.tidemill.dashboard.servers.ServersModule;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.http.BasePath;
import io.tidemill.http.HttpConfig;
import io.tidemill.job.JobsConfig;
import io.tidemill.workflow.WorkflowsConfig;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The dashboard, which is served beside the gateway: its page, and what only it asks for.
final class DashboardWiring {
  private final Parts parts;
  private final Set<Role> roles;
  private final JobsConfig jobs;

  DashboardWiring(Parts parts, Set<Role> roles, JobsConfig jobs) {
    this.parts = parts;
    this.roles = roles;
    this.jobs = jobs;
  }

  /// @param publisher takes dead letters back; null without AMQP, like the queues' depths
  void add(
      @Nullable QueueMeters queues, @Nullable AmqpPublisher publisher, DeadLetterCatalog dead) {
    parts.route(new AssetRoutes(new BasePath(parts.section(HttpConfig.class).basePath())));
    parts.route(new AuditRoutes(parts.audit()));
    parts.route(new TraceRoutes(parts.traceStore()));
    new OverviewWiring(parts, roles, queues, dead).add();
    addServers();
    addFind(publisher == null || queues == null ? List.of() : deadQueues(publisher, queues));
  }

  private void addServers() {
    var hasPages = !parts.endpoints().amqp().url().isEmpty();
    var module =
        new ServersModule(
            new ServersModule.Servers(
                parts.redis(),
                parts.endpoints().kafka(),
                parts.endpoints().amqp(),
                parts.endpoints().s3(),
                hasPages ? parts.pages() : null,
                parts.embedder().isEnabled(),
                parts.hasAnalytics(roles) ? parts.analytics() : null),
            jobs,
            parts.clock());
    parts.close(module);
    parts.route(module.routes());
  }

  // A reader of its own, so that dead letters over HTTP need not wait for the indexing of them.
  private List<RecordSources.DeadQueue> deadQueues(AmqpPublisher publisher, QueueMeters depths) {
    return List.of(
        deadQueues(
            PageNames.QUEUE,
            PageNames.DEAD,
            Set.of(PageNames.QUEUE, PageNames.GONE),
            publisher,
            depths),
        deadQueues(
            CollectedNames.QUEUE,
            CollectedNames.DEAD,
            Set.of(CollectedNames.QUEUE),
            publisher,
            depths));
  }

  private RecordSources.DeadQueue deadQueues(
      String source,
      String queue,
      Set<String> origins,
      AmqpPublisher publisher,
      QueueMeters depths) {
    var reader = new DeadQueueReader(parts.endpoints().amqp(), queue, origins, publisher);
    return new RecordSources.DeadQueue(
        source,
        reader,
        () -> {
          var known = depths.queues().value();
          var depth = known == null ? null : known.get(queue);
          return depth == null ? OptionalLong.empty() : OptionalLong.of(depth.messages());
        });
  }

  private void addFind(List<RecordSources.DeadQueue> mail) {
    var keeper =
        new RecordIndexer(
            parts.section(DataConfig.class).dir().resolve("find"),
            parts.section(FindConfig.class),
            new RecordSources(
                parts.redis(),
                jobs,
                parts.section(WorkflowsConfig.class),
                parts.endpoints().kafka(),
                mail),
            parts.registry(),
            parts.clock());
    parts.add(keeper);
    parts.route(new RecordSearchRoutes(keeper));
  }
}
