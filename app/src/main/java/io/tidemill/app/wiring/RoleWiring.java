package io.tidemill.app.wiring;

import io.tidemill.collector.CollectorConfig;
import io.tidemill.collector.CollectorRole;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.crawl.UrlConfig;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.crawler.CrawlerRole;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.PublicUrl;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.indexer.IndexerRole;
import io.tidemill.job.JobsConfig;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.LlmConfig;
import io.tidemill.processor.ProcessorConfig;
import io.tidemill.processor.ProcessorRole;
import io.tidemill.processor.export.ExportConfig;
import io.tidemill.processor.mail.SmtpConfig;
import io.tidemill.processor.record.RecordsConfig;
import io.tidemill.processor.step.StepsConfig;
import io.tidemill.redis.RedisClock;
import io.tidemill.search.SearchConfig;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.trace.MessageSamples;
import io.tidemill.worker.HandlerRegistry;
import io.tidemill.worker.WorkerConfig;
import io.tidemill.worker.WorkerRole;
import io.tidemill.worker.ai.AiHandlers;
import io.tidemill.worker.ai.RagConfig;
import io.tidemill.workflow.WorkflowsConfig;
import java.util.Set;

/// The roles behind the gateway.
final class RoleWiring {
  private final Parts parts;

  RoleWiring(Parts parts) {
    this.parts = parts;
  }

  void addCrawler() {
    var role =
        new CrawlerRole(
            CrawlerRole.Config.of(parts.settings()),
            new CrawlerRole.Servers(
                parts.redis(),
                parts.endpoints().kafka(),
                parts.endpoints().amqp(),
                parts.endpoints().s3()),
            parts.traces(),
            parts.registry(),
            parts.clock());
    parts.add(role);
    parts.check("crawler", role.health());
  }

  void addIndexer() {
    var role =
        new IndexerRole(
            new IndexerRole.Config(
                parts.section(IndexerConfig.class),
                parts.section(SearchConfig.class),
                IndexFolder.of(parts.settings())),
            parts.endpoints().amqp(),
            parts.indexRegistry(),
            parts.embedder(),
            new MessageSamples(parts.redis(), parts.clock()),
            parts.traces(),
            parts.registry(),
            parts.clock());
    parts.add(role);
    parts.note("indexer", role.health());
    parts.check("index", role.indexHealth());
  }

  void addCollector() {
    var role =
        new CollectorRole(
            parts.section(CollectorConfig.class),
            new CollectorRole.Servers(
                parts.redis(), parts.endpoints().amqp(), parts.endpoints().s3()),
            parts.analytics(),
            parts.traces(),
            parts.registry(),
            parts.clock());
    parts.add(role);
    parts.check("collector", role.health());
    var analytics = parts.analytics();
    parts.check(
        "analytics",
        () -> {
          analytics.ping();
          return "answers";
        });
  }

  void addWorker(Set<Role> roles) {
    var config = parts.section(WorkerConfig.class);
    var plugins = parts.section(DataConfig.class).plugins();
    var model =
        parts.close(
            new LanguageModel(parts.section(LlmConfig.class), parts.clock(), parts.registry()));
    var handlers =
        HandlerRegistry.find(
            plugins,
            new ToolWiring(parts, roles).tools(),
            AiHandlers.of(
                model,
                parts.embedder(),
                parts::pages,
                parts.section(RagConfig.class),
                config.maxResult().bytes()));
    parts.add(
        new WorkerRole(
            new WorkerRole.Config(config, parts.section(JobsConfig.class), WorkerName.unique()),
            parts.redis(),
            parts.jobQueue(),
            handlers,
            new MessageSamples(parts.redis(), parts.clock()),
            parts.traces(),
            parts.registry()));
  }

  void addProcessor() {
    var crawls = parts.section(CrawlsConfig.class);
    var time = new RedisClock(parts.redis(), parts.clock());
    var role =
        new ProcessorRole(
            new ProcessorRole.Config(
                parts.section(ProcessorConfig.class),
                parts.section(WorkflowsConfig.class),
                parts.section(StepsConfig.class),
                parts.section(RecordsConfig.class),
                parts.section(ExportConfig.class),
                parts.section(AnalyticsConfig.class),
                parts.section(SmtpConfig.class),
                PublicUrl.of(parts.section(HttpConfig.class)),
                parts.section(CrawlerConfig.class).bucket(),
                crawls.doubtAfter(),
                parts.section(DataConfig.class).dir(),
                WorkerName.unique()),
            new ProcessorRole.Servers(
                parts.redis(),
                parts.endpoints().kafka(),
                parts.endpoints().amqp(),
                parts.endpoints().s3(),
                parts.fetcher("steps")),
            new ProcessorRole.Views(
                parts.pages(),
                parts.section(SearchConfig.class),
                new CrawlStore(parts.redis(), crawls.keep(), parts.clock()),
                new UrlNormaliser(parts.section(UrlConfig.class).rules()),
                parts.analytics()),
            parts.traces(),
            parts.registry(),
            time);
    parts.add(role);
    parts.check("processor", role.health());
  }
}
