package io.tidemill.collector;

import io.tidemill.config.ByteSize;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.support.AmqpBroker;
import io.tidemill.support.Postgres;
import io.tidemill.support.RabbitMq;

/// As clusters have it: RabbitMQ and PostgreSQL.
class RabbitMqCollectorIT extends CollectorContract {
  private final String database = Postgres.shared().database();

  @Override
  AmqpBroker broker() {
    return RabbitMq.shared();
  }

  @Override
  AnalyticsConfig database() {
    return new AnalyticsConfig(Postgres.shared().url(database), ByteSize.ofMib(128), 2);
  }
}
