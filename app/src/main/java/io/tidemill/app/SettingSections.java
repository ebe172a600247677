package io.tidemill.app;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.app.wiring.DataConfig;
import io.tidemill.collector.CollectorConfig;
import io.tidemill.crawl.UrlConfig;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.crawler.document.DocumentConfig;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.dashboard.recordsearch.FindConfig;
import io.tidemill.embedding.EmbeddingConfig;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.gateway.mcp.McpConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.job.JobsConfig;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.llm.LlmConfig;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.processor.ProcessorConfig;
import io.tidemill.processor.export.ExportConfig;
import io.tidemill.processor.mail.SmtpConfig;
import io.tidemill.processor.record.RecordsConfig;
import io.tidemill.processor.step.StepsConfig;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.S3Config;
import io.tidemill.search.SearchConfig;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.worker.WorkerConfig;
import io.tidemill.worker.ai.RagConfig;
import io.tidemill.workflow.WorkflowsConfig;
import java.util.List;

/// Every section of the settings, in the order of the settings page.
public final class SettingSections {
  /// Every section.
  public static final List<Class<? extends Record>> ALL =
      List.of(
          HttpConfig.class,
          ApiConfig.class,
          CompatConfig.class,
          CrawlsConfig.class,
          CrawlerConfig.class,
          UrlConfig.class,
          ScopeConfig.class,
          TrapConfig.class,
          FetchConfig.class,
          DocumentConfig.class,
          IndexerConfig.class,
          CollectorConfig.class,
          SearchConfig.class,
          FindConfig.class,
          EmbeddingConfig.class,
          RagConfig.class,
          WorkflowsConfig.class,
          JobsConfig.class,
          McpConfig.class,
          WorkerConfig.class,
          LlmConfig.class,
          ProcessorConfig.class,
          StepsConfig.class,
          RecordsConfig.class,
          ExportConfig.class,
          SmtpConfig.class,
          AnalyticsConfig.class,
          RedisConfig.class,
          KafkaConfig.class,
          AmqpConfig.class,
          S3Config.class,
          DataConfig.class,
          ServersConfig.class,
          HealthConfig.class,
          ObserveConfig.class,
          LogConfig.class);

  private SettingSections() {}
}
