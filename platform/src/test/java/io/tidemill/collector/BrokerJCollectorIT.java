package io.tidemill.collector;

import io.tidemill.config.ByteSize;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.support.AmqpBroker;
import io.tidemill.support.BrokerJ;

/// As `./tidemill up` has it: Broker-J and DuckDB.
class BrokerJCollectorIT extends CollectorContract {
  @Override
  AmqpBroker broker() {
    return BrokerJ.shared();
  }

  @Override
  AnalyticsConfig database() {
    return new AnalyticsConfig("", ByteSize.ofMib(128), 2);
  }
}
