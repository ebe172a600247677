package io.tidemill.amqp;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.BrokerJ;

class BrokerJPublisherIT extends AmqpPublisherContract {
  @Override
  AmqpBroker broker() {
    return BrokerJ.shared();
  }
}
