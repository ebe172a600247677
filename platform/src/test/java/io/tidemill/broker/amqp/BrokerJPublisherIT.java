package io.tidemill.broker.amqp;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.BrokerJ;

class BrokerJPublisherIT extends PublisherContract {
  @Override
  AmqpBroker broker() {
    return BrokerJ.shared();
  }
}
