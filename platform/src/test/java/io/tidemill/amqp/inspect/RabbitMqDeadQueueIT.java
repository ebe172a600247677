package io.tidemill.amqp.inspect;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.RabbitMq;

class RabbitMqDeadQueueIT extends DeadQueueContract {
  @Override
  AmqpBroker broker() {
    return RabbitMq.shared();
  }
}
