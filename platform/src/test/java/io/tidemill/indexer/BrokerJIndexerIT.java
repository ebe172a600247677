package io.tidemill.indexer;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.BrokerJ;

class BrokerJIndexerIT extends IndexerContract {
  @Override
  AmqpBroker broker() {
    return BrokerJ.shared();
  }
}
