package io.tidemill.analytics;

import io.tidemill.config.ByteSize;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.support.Postgres;

class PostgresCollectedIT extends CollectedContract {
  private final String url = Postgres.shared().url(Postgres.shared().database());

  @Override
  AnalyticsConfig config() {
    return new AnalyticsConfig(url, ByteSize.ofMib(128), 2);
  }
}
