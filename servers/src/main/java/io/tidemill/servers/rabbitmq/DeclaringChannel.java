package io.tidemill.servers.rabbitmq;

import static io.tidemill.servers.rabbitmq.RabbitConnection.PRECONDITION_FAILED;
import static org.apache.qpid.server.protocol.ErrorCodes.ACCESS_REFUSED;
import static org.apache.qpid.server.protocol.ErrorCodes.NOT_FOUND;

import java.util.LinkedHashMap;
import java.util.UUID;
import org.apache.qpid.server.model.Exchange;
import org.apache.qpid.server.model.LifetimePolicy;
import org.apache.qpid.server.model.NamedAddressSpace;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.protocol.v0_8.AMQChannel;
import org.apache.qpid.server.protocol.v0_8.AMQShortString;
import org.apache.qpid.server.protocol.v0_8.FieldTable;
import org.apache.qpid.server.protocol.v0_8.transport.AMQMethodBody;
import org.apache.qpid.server.queue.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// A channel that declares, binds and deletes queues and exchanges as RabbitMQ's do: by arguments
/// that have an effect, and with a refusal of what is declared otherwise the second time.
abstract class DeclaringChannel extends ForwardingChannel {
  private static final String ALTERNATE_EXCHANGE = "alternate-exchange";

  final RabbitConnection connection;

  DeclaringChannel(RabbitConnection connection, AMQChannel broker) {
    super(broker);
    this.connection = connection;
  }

  private NamedAddressSpace host() {
    return connection.getAddressSpace();
  }

  @Nullable Queue<?> queue(AMQShortString name) {
    return host().getAttainedMessageSource(name.toString()) instanceof Queue<?> queue
        ? queue
        : null;
  }

  private @Nullable Exchange<?> exchange(String name) {
    return host().getAttainedMessageDestination(name, false) instanceof Exchange<?> exchange
        ? exchange
        : null;
  }

  void refuse(int code, String why) {
    connection.refuse(broker, code, why);
  }

  // The broker reads an empty name as null.
  static boolean isEmpty(@Nullable AMQShortString name) {
    return name == null || name.length() == 0;
  }

  @Override
  public void receiveQueueDeclare(
      @Nullable AMQShortString name,
      boolean passive,
      boolean durable,
      boolean exclusive,
      boolean autoDelete,
      boolean nowait,
      @Nullable FieldTable arguments) {
    if (passive) {
      super.receiveQueueDeclare(name, true, durable, exclusive, autoDelete, nowait, arguments);
      return;
    }
    var queue = name == null || isEmpty(name) ? generated("amq.gen-") : name;
    // An exclusive queue goes with its connection, durable or not.
    declare(queue, durable && !exclusive, exclusive, autoDelete, nowait, arguments);
  }

  static AMQShortString generated(String prefix) {
    return AMQShortString.createAMQShortString(prefix + UUID.randomUUID());
  }

  private void declare(
      AMQShortString name,
      boolean durable,
      boolean exclusive,
      boolean autoDelete,
      boolean nowait,
      @Nullable FieldTable sent) {
    QueueArguments arguments;
    try {
      arguments = QueueArguments.of(FieldTable.convertToMap(sent));
    } catch (QueueArguments.Invalid wrong) {
      refuse(PRECONDITION_FAILED, wrong.getMessage() + " (queue '" + name + "')");
      return;
    }
    var existing = queue(name);
    var fault = existing == null ? null : difference(existing, durable, arguments);
    if (fault != null) {
      refuse(PRECONDITION_FAILED, "inequivalent arg '%s' for queue '%s'".formatted(fault, name));
      return;
    }
    DeadLetterDestinations.add(host(), name.toString(), arguments);
    if (existing != null && QueueArguments.kept(existing) == null) adopt(existing, arguments);
    var attributes = new LinkedHashMap<>(FieldTable.convertToMap(sent));
    attributes.keySet().removeIf(argument -> arguments.values().containsKey(argument));
    attributes.putAll(arguments.attributes(name.toString()));
    super.receiveQueueDeclare(
        name,
        false,
        durable,
        exclusive,
        autoDelete,
        nowait,
        FieldTable.convertToFieldTable(attributes));
    if (existing == null && arguments.deadLetterExchange() != null) forgetWith(name);
  }

  // Earlier versions ignored arguments: their queues take the first ones that they are given.
  private static void adopt(Queue<?> queue, QueueArguments arguments) {
    var attributes = arguments.attributes(queue.getName());
    attributes.remove(PriorityQueue.PRIORITIES); // belongs to the type of a queue, which stays
    queue.setAttributes(attributes);
  }

  // What differs between a queue and how it is declared again; null when nothing does.
  private static @Nullable String difference(
      Queue<?> queue, boolean durable, QueueArguments arguments) {
    if (queue.isDurable() != durable) return "durable";
    var kept = QueueArguments.kept(queue);
    if (kept == null || kept.equals(arguments)) return null;
    var differing = new LinkedHashMap<>(kept.values());
    arguments
        .values()
        .forEach((name, value) -> {
          if (!differing.remove(name, value)) differing.put(name, value);
        });
    return differing.keySet().iterator().next();
  }

  // The destination of its dead letters goes with the queue, however that ends.
  private void forgetWith(AMQShortString name) {
    var host = host();
    var declared = queue(name);
    if (declared == null) DeadLetterDestinations.remove(host, name.toString());
    else declared.addDeleteTask(_ -> DeadLetterDestinations.remove(host, name.toString()));
  }

  @Override
  public void receiveQueueDelete(
      @Nullable AMQShortString name, boolean ifUnused, boolean ifEmpty, boolean nowait) {
    if (name == null || isEmpty(name) || queue(name) != null) {
      super.receiveQueueDelete(name, ifUnused, ifEmpty, nowait);
    } else if (!nowait) {
      reply(connection.getMethodRegistry().createQueueDeleteOkBody(0));
    }
  }

  private void reply(AMQMethodBody body) {
    connection.writeFrame(body.generateFrame(broker.getChannelId()));
  }

  @Override
  public void receiveQueueBind(
      AMQShortString queue,
      AMQShortString exchange,
      AMQShortString key,
      boolean nowait,
      FieldTable arguments) {
    if (isEmpty(exchange))
      refuse(ACCESS_REFUSED, "operation not permitted on the default exchange");
    else super.receiveQueueBind(queue, exchange, key, nowait, arguments);
  }

  @Override
  public void receiveQueueUnbind(
      AMQShortString queue, AMQShortString exchange, AMQShortString key, FieldTable arguments) {
    if (isEmpty(exchange))
      refuse(ACCESS_REFUSED, "operation not permitted on the default exchange");
    else super.receiveQueueUnbind(queue, exchange, key, arguments);
  }

  @Override
  public void receiveExchangeDeclare(
      AMQShortString name,
      AMQShortString type,
      boolean passive,
      boolean durable,
      boolean autoDelete,
      boolean internal,
      boolean nowait,
      @Nullable FieldTable arguments) {
    if (isEmpty(name)) {
      refuse(ACCESS_REFUSED, "operation not permitted on the default exchange");
      return;
    }
    var existing = exchange(name.toString());
    if (passive) {
      super.receiveExchangeDeclare(
          name, AMQShortString.EMPTY_STRING, true, durable, autoDelete, internal, nowait, null);
    } else if (existing == null && name.toString().startsWith("amq.")) {
      refuse(ACCESS_REFUSED, "exchange name '" + name + "' contains reserved prefix 'amq.*'");
    } else if (existing != null && isOther(existing, type, durable, autoDelete)) {
      refuse(
          PRECONDITION_FAILED,
          "inequivalent arg for exchange '%s': it is a %s exchange, durable %s"
              .formatted(name, existing.getType(), existing.isDurable()));
    } else {
      declare(name, type, durable, autoDelete, internal, nowait, arguments);
    }
  }

  private static boolean isOther(
      Exchange<?> existing, AMQShortString type, boolean durable, boolean autoDelete) {
    var isPermanent = existing.getLifetimePolicy() == LifetimePolicy.PERMANENT;
    return !existing.getType().equals(type.toString())
        || existing.isDurable() != durable
        || isPermanent == autoDelete;
  }

  private void declare(
      AMQShortString name,
      AMQShortString type,
      boolean durable,
      boolean autoDelete,
      boolean internal,
      boolean nowait,
      @Nullable FieldTable sent) {
    var arguments = new LinkedHashMap<>(FieldTable.convertToMap(sent));
    var alternate = arguments.remove(ALTERNATE_EXCHANGE);
    if (alternate != null && exchange(alternate.toString()) == null) {
      refuse(NOT_FOUND, "no exchange '%s' (%s)".formatted(alternate, ALTERNATE_EXCHANGE));
      return;
    }
    if (alternate != null) arguments.put("alternateExchange", alternate.toString());
    super.receiveExchangeDeclare(
        name,
        type,
        false,
        durable,
        autoDelete,
        internal,
        nowait,
        FieldTable.convertToFieldTable(arguments));
  }

  @Override
  public void receiveExchangeDelete(AMQShortString name, boolean ifUnused, boolean nowait) {
    if (isEmpty(name) || name.toString().startsWith("amq.")) {
      refuse(ACCESS_REFUSED, "exchange '" + name + "' can't be deleted");
    } else if (exchange(name.toString()) != null) {
      super.receiveExchangeDelete(name, ifUnused, nowait);
    } else if (!nowait) {
      reply(connection.getMethodRegistry().createExchangeDeleteOkBody());
    }
  }
}
