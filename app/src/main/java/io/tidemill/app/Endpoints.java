package io.tidemill.app;

import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.config.Settings;
import io.tidemill.store.blob.BlobConfig;
import io.tidemill.store.redis.RedisConfig;

/// The addresses of everything that roles talk to.
record Endpoints(KafkaConfig kafka, RedisConfig redis, AmqpConfig amqp, BlobConfig s3) {
  static Endpoints configured(Settings settings) {
    return new Endpoints(
        settings.section(KafkaConfig.class),
        settings.section(RedisConfig.class),
        settings.section(AmqpConfig.class),
        settings.section(BlobConfig.class));
  }
}
