package io.tidemill.app.wiring;

import io.tidemill.api.Tool;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.processor.step.StepsConfig;
import io.tidemill.redis.RedisClock;
import io.tidemill.search.SearchConfig;
import io.tidemill.worker.tool.AnalyticsQueryTool;
import io.tidemill.worker.tool.CrawlStartTool;
import io.tidemill.worker.tool.CrawlStatusTool;
import io.tidemill.worker.tool.HttpGetTool;
import io.tidemill.worker.tool.SearchTool;
import io.tidemill.worker.tool.WorkflowStartTool;
import io.tidemill.worker.tool.WorkflowStatusTool;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionStarter;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The worker's tools that need more than a `ServiceLoader` can give them. What is heavy is opened
/// by the first call: most workers never search.
final class ToolWiring {
  private final Parts parts;
  private final Set<Role> roles;
  private final CrawlsConfig crawls;
  private final WorkflowsConfig flows;

  ToolWiring(Parts parts, Set<Role> roles) {
    this.parts = parts;
    this.roles = roles;
    crawls = parts.section(CrawlsConfig.class);
    flows = parts.section(WorkflowsConfig.class);
  }

  List<Tool> tools() {
    var kafka = parts.endpoints().kafka();
    // It connects when it has something to send.
    var publisher =
        kafka.bootstrap().isEmpty() ? null : parts.close(new KafkaPublisher(kafka, "worker-tools"));
    var store = new CrawlStore(parts.redis(), crawls.keep(), parts.clock());
    var time = new RedisClock(parts.redis(), parts.clock());
    var workflows = new ExecutionStore(parts.redis(), ExecutionKind.WORKFLOW, flows, time);
    return List.of(
        new HttpGetTool(parts.fetcher("tools")),
        new SearchTool(parts::pages, parts.section(SearchConfig.class)),
        new CrawlStartTool(
            crawlStarter(store, publisher), parts.section(StepsConfig.class).crawlOwner()),
        new CrawlStatusTool(store),
        new WorkflowStartTool(workflowStarter(workflows, publisher), parts.clock()),
        new WorkflowStatusTool(workflows),
        new AnalyticsQueryTool(parts.hasAnalytics(roles) ? parts::analytics : null));
  }

  private @Nullable CrawlStarter crawlStarter(
      CrawlStore store, @Nullable KafkaPublisher publisher) {
    return publisher == null
        ? null
        : new CrawlStarter(
            store, publisher, crawls.doubtAfter(), crawls.maxPerOwner(), parts.clock());
  }

  private @Nullable ExecutionStarter workflowStarter(
      ExecutionStore workflows, @Nullable KafkaPublisher publisher) {
    if (publisher == null) return null;
    var metrics = parts.registry();
    var events = new ExecutionPublisher(publisher, metrics);
    return new ExecutionStarter(workflows, events, flows, parts.clock(), metrics);
  }
}
