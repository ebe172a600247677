package io.tidemill.amqp.inspect;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.BrokerJ;

class BrokerJDeadQueueIT extends DeadQueueContract {
  @Override
  AmqpBroker broker() {
    return BrokerJ.shared();
  }
}
