package io.tidemill.app;

import io.tidemill.broker.kafka.Publisher;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.crawling.CrawlStarts;
import io.tidemill.flow.CreatedEvents;
import io.tidemill.flow.FlowPublisher;
import io.tidemill.flow.FlowStarts;
import io.tidemill.gateway.CrawlsConfig;
import io.tidemill.processor.steps.StepsConfig;
import io.tidemill.store.redis.CrawlStore;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.RedisClock;
import io.tidemill.store.search.SearchConfig;
import io.tidemill.worker.Tool;
import io.tidemill.worker.tools.AnalyticsQueryTool;
import io.tidemill.worker.tools.CrawlStartTool;
import io.tidemill.worker.tools.CrawlStatusTool;
import io.tidemill.worker.tools.HttpGetTool;
import io.tidemill.worker.tools.SearchTool;
import io.tidemill.worker.tools.WorkflowStartTool;
import io.tidemill.worker.tools.WorkflowStatusTool;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The worker's tools that need more than a `ServiceLoader` can give them. What is heavy is opened
/// by the first call: most workers never search.
final class ToolWiring {
  private final Parts parts;
  private final Set<Role> roles;
  private final CrawlsConfig crawls;
  private final FlowsConfig flows;

  ToolWiring(Parts parts, Set<Role> roles) {
    this.parts = parts;
    this.roles = roles;
    crawls = parts.section(CrawlsConfig.class);
    flows = parts.section(FlowsConfig.class);
  }

  List<Tool> tools() {
    var kafka = parts.endpoints().kafka();
    // It connects when it has something to send.
    var publisher =
        kafka.bootstrap().isEmpty() ? null : parts.close(new Publisher(kafka, "worker-tools"));
    var store = new CrawlStore(parts.redis(), crawls.keep(), parts.clock());
    var time = new RedisClock(parts.redis(), parts.clock());
    var workflows = new FlowStore(parts.redis(), FlowKind.WORKFLOW, flows, time);
    return List.of(
        new HttpGetTool(parts.fetcher("tools")),
        new SearchTool(parts::pages, parts.section(SearchConfig.class)),
        new CrawlStartTool(
            crawlStarts(store, publisher),
            store,
            parts.section(StepsConfig.class).crawlOwner(),
            crawls.maxPerOwner()),
        new CrawlStatusTool(store),
        new WorkflowStartTool(flowStarts(workflows, publisher), flows, parts.clock()),
        new WorkflowStatusTool(workflows),
        new AnalyticsQueryTool(parts.hasAnalytics(roles) ? parts::analytics : null));
  }

  private @Nullable CrawlStarts crawlStarts(CrawlStore store, @Nullable Publisher publisher) {
    return publisher == null
        ? null
        : new CrawlStarts(store, publisher, crawls.doubtAfter(), parts.clock());
  }

  private @Nullable FlowStarts flowStarts(FlowStore workflows, @Nullable Publisher publisher) {
    return publisher == null
        ? null
        : new FlowStarts(
            workflows, new CreatedEvents(new FlowPublisher(publisher, parts.metrics().registry())));
  }
}
