package io.tidemill.app.wiring;

import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.collector.CollectorConfig;
import io.tidemill.collector.CollectorRole;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobTask;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.crawl.UrlConfig;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.crawler.CrawlerRole;
import io.tidemill.crawler.document.DocumentConfig;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.indexer.PageIndexer;
import io.tidemill.indexer.PassageMaker;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.ToolRegistry;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.LlmConfig;
import io.tidemill.processor.ProcessorConfig;
import io.tidemill.processor.ProcessorRole;
import io.tidemill.processor.export.ExportConfig;
import io.tidemill.processor.mail.SmtpConfig;
import io.tidemill.processor.record.RecordsConfig;
import io.tidemill.processor.step.StepsConfig;
import io.tidemill.redis.PubSubChannel;
import io.tidemill.redis.RedisClock;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.trace.MessageSamples;
import io.tidemill.worker.HandlerRegistry;
import io.tidemill.worker.JobWorker;
import io.tidemill.worker.ToolAnnouncer;
import io.tidemill.worker.WorkerConfig;
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
            new CrawlerRole.Config(
                parts.section(CrawlerConfig.class),
                parts.section(FetchConfig.class),
                parts.section(UrlConfig.class),
                parts.section(ScopeConfig.class),
                parts.section(TrapConfig.class),
                parts.section(DocumentConfig.class)),
            new CrawlerRole.Servers(
                parts.redis(),
                parts.endpoints().kafka(),
                parts.endpoints().amqp(),
                parts.endpoints().s3()),
            parts.traces(),
            parts.metrics().registry(),
            parts.clock());
    parts.add(role);
    parts.check("crawler", role.health());
  }

  void addIndexer() {
    var index =
        new LuceneIndex(
            IndexFolder.of(parts.settings()), parts.section(SearchConfig.class), parts.clock());
    var letters =
        new AmqpPublisher(parts.endpoints().amqp(), "indexer", parts.metrics().registry());
    parts.close(index);
    parts.close(letters);
    var indexer =
        new PageIndexer(
            parts.section(IndexerConfig.class),
            parts.endpoints().amqp(),
            index,
            letters,
            new MessageSamples(parts.redis(), parts.clock()),
            parts.traces(),
            parts.clock(),
            parts.metrics().registry());
    parts.add(indexer);
    parts.note("indexer", indexer::check);
    if (parts.embedder().isEnabled()) {
      parts.add(
          new PassageMaker(
              IndexFolder.of(parts.settings()), parts.embedder(), parts.metrics().registry()));
    }
  }

  void addCollector() {
    var role =
        new CollectorRole(
            parts.section(CollectorConfig.class),
            new CollectorRole.Servers(
                parts.redis(), parts.endpoints().amqp(), parts.endpoints().s3()),
            parts.analytics(),
            parts.traces(),
            parts.metrics().registry(),
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
            new LanguageModel(
                parts.section(LlmConfig.class), parts.clock(), parts.metrics().registry()));
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
    var source = parts.jobs(WorkerName.unique());
    var worker =
        new JobWorker(
            config,
            source,
            parts.jobStore(),
            handlers,
            parts.traces(),
            parts.metrics().registry(),
            new MessageSamples(parts.redis(), parts.clock()));
    parts.add(worker);
    parts.add(new PubSubChannel(parts.redis(), JobNames.CANCEL_CHANNEL, worker::cancel));
    if (config.tasks().contains(JobTask.TOOL.wire())) {
      var tools = new ToolRegistry(parts.redis(), parts.section(JobsConfig.class));
      parts.add(new ToolAnnouncer(tools, handlers.tools()));
    }
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
            parts.metrics().registry(),
            time);
    parts.add(role);
    parts.check("processor", role.health());
  }
}
