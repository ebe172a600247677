package io.tidemill.store.analytics;

import io.tidemill.config.ByteSize;

class DuckCollectedTest extends CollectedContract {
  @Override
  AnalyticsConfig config() {
    return new AnalyticsConfig("", ByteSize.ofMib(128), 2);
  }
}
