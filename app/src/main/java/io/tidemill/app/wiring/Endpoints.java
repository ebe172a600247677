package io.tidemill.app.wiring;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.config.Settings;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.S3Config;

/// The addresses of all servers.
public record Endpoints(KafkaConfig kafka, RedisConfig redis, AmqpConfig amqp, S3Config s3) {
  public static Endpoints configured(Settings settings) {
    return new Endpoints(
        settings.section(KafkaConfig.class),
        settings.section(RedisConfig.class),
        settings.section(AmqpConfig.class),
        settings.section(S3Config.class));
  }

  /// The same for an installation: its gateways have a group of their own for responses (C1.2).
  ///
  /// @param id tells installations apart that share a Kafka cluster
  public Endpoints of(String id) {
    var group = CrawlNames.OUR_GATEWAYS;
    return new Endpoints(kafka.withGroup(group, group + "-" + id), redis, amqp, s3);
  }
}
