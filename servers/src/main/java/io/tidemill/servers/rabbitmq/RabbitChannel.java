package io.tidemill.servers.rabbitmq;

import static io.tidemill.servers.rabbitmq.RabbitConnection.PRECONDITION_FAILED;
import static org.apache.qpid.server.protocol.ErrorCodes.NOT_IMPLEMENTED;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.protocol.v0_8.AMQChannel;
import org.apache.qpid.server.protocol.v0_8.AMQShortString;
import org.apache.qpid.server.protocol.v0_8.FieldTable;
import org.apache.qpid.server.protocol.v0_8.MessageConsumerAssociation;
import org.apache.qpid.server.protocol.v0_8.UnacknowledgedMessageMap;
import org.apache.qpid.server.protocol.v0_8.transport.BasicContentHeaderProperties;
import org.apache.qpid.server.protocol.v0_8.transport.BasicNackBody;
import org.apache.qpid.server.util.Action;
import org.jspecify.annotations.Nullable;

/// A channel that declares, publishes and settles as RabbitMQ's do, and lets the broker do the
/// work.
final class RabbitChannel extends DeclaringChannel {
  private static final Field UNACKNOWLEDGED = unacknowledgedField();

  /// A publish that no queue took, to be confirmed after its return.
  record Refused(long tag, boolean isMandatory) {}

  private final UnacknowledgedMessageMap unacknowledged;
  private final ArrayDeque<Refused> refused = new ArrayDeque<>();
  private final Map<AMQShortString, Runnable> consumers = new ConcurrentHashMap<>();
  private boolean isConfirming;
  private boolean isMandatory;

  RabbitChannel(RabbitConnection connection, AMQChannel broker) {
    super(connection, broker);
    broker.addDeleteTask(_ -> consumers.values().forEach(Runnable::run));
    try {
      unacknowledged = (UnacknowledgedMessageMap) UNACKNOWLEDGED.get(broker);
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  // The broker offers no other way to know which delivery tags are open.
  private static Field unacknowledgedField() {
    try {
      var field = AMQChannel.class.getDeclaredField("_unacknowledgedMessageMap");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException otherBroker) {
      throw new IllegalStateException(otherBroker);
    }
  }

  boolean isOf(AMQChannel channel) {
    return broker.equals(channel);
  }

  @Override
  public void receiveBasicConsume(
      @Nullable AMQShortString queue,
      @Nullable AMQShortString tag,
      boolean noLocal,
      boolean noAck,
      boolean exclusive,
      boolean nowait,
      FieldTable arguments) {
    var consumer = tag == null || isEmpty(tag) ? generated("amq.ctag-") : tag;
    var source = queue == null ? null : queue(queue);
    super.receiveBasicConsume(queue, consumer, noLocal, noAck, exclusive, nowait, arguments);
    if (source != null && !broker.isClosing()) watch(consumer, source);
  }

  // The client is told when the queue of its consumer is deleted.
  private void watch(AMQShortString consumer, Queue<?> queue) {
    Action<Object> canceled =
        _ -> {
          consumers.remove(consumer);
          connection.cancelConsumer(broker, consumer);
        };
    queue.addDeleteTask(canceled);
    consumers.put(consumer, () -> queue.removeDeleteTask(canceled));
  }

  @Override
  public void receiveBasicCancel(AMQShortString consumer, boolean nowait) {
    var stop = consumers.remove(consumer);
    if (stop != null) stop.run();
    super.receiveBasicCancel(consumer, nowait);
  }

  @Override
  public void receiveConfirmSelect(boolean nowait) {
    isConfirming = true;
    super.receiveConfirmSelect(nowait);
  }

  // With confirms every publish is mandatory for the broker: only then does it say that a full
  // queue has refused one. Returns that the client did not ask for are left out (RabbitOutput).
  @Override
  public void receiveBasicPublish(
      AMQShortString exchange, AMQShortString key, boolean mandatory, boolean immediate) {
    if (immediate) {
      connection.sendConnectionClose(NOT_IMPLEMENTED, "immediate=true", broker.getChannelId());
      return;
    }
    isMandatory = mandatory;
    super.receiveBasicPublish(exchange, key, mandatory || isConfirming, false);
  }

  @Override
  public void receiveMessageHeader(BasicContentHeaderProperties properties, long bodySize) {
    super.receiveMessageHeader(
        RelativeExpiration.of(properties, connection.getLastReadTime()), bodySize);
  }

  /// Whether the confirmation of the current publish waits for its return.
  boolean holdBack(BasicNackBody nack) {
    return refused.add(new Refused(nack.getDeliveryTag(), isMandatory));
  }

  @Nullable Refused nextRefused() {
    return refused.poll();
  }

  @Override
  public void receiveBasicAck(long tag, boolean multiple) {
    if (isOpen(tag, multiple)) super.receiveBasicAck(tag, multiple);
  }

  @Override
  public void receiveBasicReject(long tag, boolean requeue) {
    if (isOpen(tag, false)) DeadLettering.rejecting(() -> super.receiveBasicReject(tag, requeue));
  }

  // The broker nacks only the named one of several.
  @Override
  public void receiveBasicNack(long tag, boolean multiple, boolean requeue) {
    if (!isOpen(tag, multiple)) return;
    var nacked = new LinkedHashMap<Long, MessageConsumerAssociation>();
    unacknowledged.collect(tag, multiple, nacked);
    DeadLettering.rejecting(() -> {
      for (var each : nacked.keySet()) super.receiveBasicNack(each, false, requeue);
    });
  }

  private boolean isOpen(long tag, boolean multiple) {
    if ((tag == 0 && multiple) || unacknowledged.get(tag) != null) return true;
    refuse(PRECONDITION_FAILED, "unknown delivery tag " + tag);
    return false;
  }
}
