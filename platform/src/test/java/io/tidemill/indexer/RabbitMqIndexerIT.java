package io.tidemill.indexer;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.RabbitMq;

class RabbitMqIndexerIT extends IndexerContract {
  @Override
  AmqpBroker broker() {
    return RabbitMq.shared();
  }
}
