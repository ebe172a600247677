package io.tidemill.app;

import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.collector.CollectorConfig;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.crawler.document.DocumentConfig;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.dashboard.find.FindConfig;
import io.tidemill.embedding.EmbeddingConfig;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.gateway.CrawlsConfig;
import io.tidemill.gateway.McpConfig;
import io.tidemill.http.ApiConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.llm.LlmConfig;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.processor.ProcessorConfig;
import io.tidemill.processor.export.ExportConfig;
import io.tidemill.processor.mail.SmtpConfig;
import io.tidemill.processor.records.RecordsConfig;
import io.tidemill.processor.steps.StepsConfig;
import io.tidemill.store.analytics.AnalyticsConfig;
import io.tidemill.store.blob.BlobConfig;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.RedisConfig;
import io.tidemill.store.search.SearchConfig;
import io.tidemill.url.UrlConfig;
import io.tidemill.worker.WorkerConfig;
import io.tidemill.worker.ai.RagConfig;
import java.util.List;

/// Every section of the settings, in the order of the settings page.
public final class Sections {
  /// Every section.
  public static final List<Class<? extends Record>> ALL =
      List.of(
          HttpConfig.class,
          ApiConfig.class,
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
          FlowsConfig.class,
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
          BlobConfig.class,
          DataConfig.class,
          ServersConfig.class,
          ObserveConfig.class,
          LogConfig.class);

  private Sections() {}
}
