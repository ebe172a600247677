package io.tidemill.app;

import io.tidemill.broker.amqp.DeadQueue;
import io.tidemill.broker.amqp.Publisher;
import io.tidemill.broker.amqp.QueueInfo;
import io.tidemill.broker.kafka.TopicInfo;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.dashboard.AssetRoutes;
import io.tidemill.dashboard.AuditRoutes;
import io.tidemill.dashboard.TraceRoutes;
import io.tidemill.dashboard.find.FindConfig;
import io.tidemill.dashboard.find.FindKeeper;
import io.tidemill.dashboard.find.FindRoutes;
import io.tidemill.dashboard.find.FindSources;
import io.tidemill.dashboard.servers.ServersDesk;
import io.tidemill.gateway.dead.DeadSource;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.JobsConfig;
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
  /// @param failedPages those that no crawl could fetch; null without Kafka
  void add(
      @Nullable TopicInfo topics,
      @Nullable QueueInfo queues,
      @Nullable Publisher publisher,
      @Nullable DeadSource failedPages) {
    parts.route(new AssetRoutes());
    parts.route(new AuditRoutes(parts.audit()));
    parts.route(new TraceRoutes(parts.traceStore()));
    new OverviewWiring(parts, roles, topics, queues, failedPages).add();
    addServers();
    addFind(publisher == null || queues == null ? List.of() : deadMail(publisher, queues));
  }

  private void addServers() {
    var hasPages = !parts.endpoints().amqp().url().isEmpty();
    var desk =
        new ServersDesk(
            new ServersDesk.Servers(
                parts.redis(),
                parts.endpoints().kafka(),
                parts.endpoints().amqp(),
                parts.endpoints().s3(),
                hasPages ? parts.pages() : null,
                parts.embedder().isEnabled(),
                parts.hasAnalytics(roles) ? parts.analytics() : null),
            jobs,
            parts.clock());
    parts.close(desk);
    parts.route(desk.routes());
  }

  // Of its own: who asks for the letters over HTTP need not wait for who makes them findable.
  private List<FindSources.Letters> deadMail(Publisher publisher, QueueInfo depths) {
    return List.of(
        deadMail(
            PageNames.QUEUE,
            PageNames.DEAD,
            Set.of(PageNames.QUEUE, PageNames.GONE),
            publisher,
            depths),
        deadMail(
            CollectedNames.QUEUE,
            CollectedNames.DEAD,
            Set.of(CollectedNames.QUEUE),
            publisher,
            depths));
  }

  private FindSources.Letters deadMail(
      String source, String queue, Set<String> origins, Publisher publisher, QueueInfo depths) {
    var letters = new DeadQueue(parts.endpoints().amqp(), queue, origins, publisher);
    return new FindSources.Letters(
        source,
        letters,
        () ->
            depths
                .latest(queue)
                .map(depth -> OptionalLong.of(depth.messages()))
                .orElse(OptionalLong.empty()));
  }

  private void addFind(List<FindSources.Letters> mail) {
    var keeper =
        new FindKeeper(
            parts.section(DataConfig.class).dir().resolve("find"),
            parts.section(FindConfig.class),
            new FindSources(
                parts.redis(),
                jobs,
                parts.section(FlowsConfig.class),
                parts.endpoints().kafka(),
                mail),
            parts.metrics().registry(),
            parts.clock());
    parts.add(keeper);
    parts.route(new FindRoutes(keeper));
  }
}
