package io.tidemill.app;

import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.http.ApiConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.RedisConfig;
import io.tidemill.worker.WorkerConfig;
import java.util.List;

/// Every section of the settings, in the order of the settings page.
public final class Sections {
  /// Every section.
  public static final List<Class<? extends Record>> ALL =
      List.of(
          HttpConfig.class,
          ApiConfig.class,
          JobsConfig.class,
          WorkerConfig.class,
          FetchConfig.class,
          RedisConfig.class,
          KafkaConfig.class,
          AmqpConfig.class,
          S3Config.class,
          DataConfig.class,
          ServersConfig.class,
          ObserveConfig.class,
          LogConfig.class);

  private Sections() {}
}
