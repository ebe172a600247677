package io.tidemill.app.wiring;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.config.Settings;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.S3Config;

/// The addresses of everything that roles talk to.
public record Endpoints(KafkaConfig kafka, RedisConfig redis, AmqpConfig amqp, S3Config s3) {
  public static Endpoints configured(Settings settings) {
    return new Endpoints(
        settings.section(KafkaConfig.class),
        settings.section(RedisConfig.class),
        settings.section(AmqpConfig.class),
        settings.section(S3Config.class));
  }
}
