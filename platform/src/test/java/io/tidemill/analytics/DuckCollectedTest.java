package io.tidemill.analytics;

import io.tidemill.config.ByteSize;
import io.tidemill.sql.AnalyticsConfig;

class DuckCollectedTest extends CollectedContract {
  @Override
  AnalyticsConfig config() {
    return new AnalyticsConfig("", ByteSize.ofMib(128), 2);
  }
}
