package io.tidemill.amqp.consumer;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.BrokerJ;

class BrokerJConsumerIT extends ConsumerContract {
  @Override
  AmqpBroker broker() {
    return BrokerJ.shared();
  }
}
