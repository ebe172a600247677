package io.tidemill.amqp.consumer;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.RabbitMq;

class RabbitMqConsumerIT extends ConsumerContract {
  @Override
  AmqpBroker broker() {
    return RabbitMq.shared();
  }
}
