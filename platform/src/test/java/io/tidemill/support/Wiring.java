package io.tidemill.support;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.config.Settings;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.crawl.CrawlsConfig;
import io.tidemill.gateway.mcp.McpConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.job.JobsConfig;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.llm.LlmConfig;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.redis.RedisConfig;
import io.tidemill.worker.WorkerConfig;
import io.tidemill.workflow.WorkflowsConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Settings for one role in a test: quick ones, unless told otherwise.
public final class Wiring {
  private Wiring() {}

  /// @param overrides as `key=value`
  public static Settings settings(String redisUrl, List<String> overrides) {
    var values =
        new LinkedHashMap<>(
            Map.of(
                "redis.url", redisUrl,
                "http.port", "0",
                "worker.lease", "1s",
                "worker.stop-timeout", "2s"));
    for (var override : overrides) {
      var pair = override.split("=", 2);
      values.put(pair[0], pair[1]);
    }
    return Settings.load(
        null,
        Map.of(),
        values,
        List.of(
            JobsConfig.class,
            CompatConfig.class,
            McpConfig.class,
            WorkerConfig.class,
            LlmConfig.class,
            RedisConfig.class,
            KafkaConfig.class,
            AmqpConfig.class,
            CrawlsConfig.class,
            WorkflowsConfig.class,
            HttpConfig.class,
            ApiConfig.class,
            ObserveConfig.class));
  }
}
