package io.tidemill.servers.rabbitmq;

import org.apache.qpid.server.bytebuffer.QpidByteBuffer;
import org.apache.qpid.server.protocol.v0_8.AMQChannel;
import org.apache.qpid.server.protocol.v0_8.AMQShortString;
import org.apache.qpid.server.protocol.v0_8.FieldTable;
import org.apache.qpid.server.protocol.v0_8.transport.BasicContentHeaderProperties;
import org.apache.qpid.server.protocol.v0_8.transport.ServerChannelMethodProcessor;
import org.jspecify.annotations.Nullable;

/// A channel of the broker, unchanged.
abstract class ForwardingChannel implements ServerChannelMethodProcessor {
  final AMQChannel broker;

  ForwardingChannel(AMQChannel broker) {
    this.broker = broker;
  }

  @Override
  public void receiveAccessRequest(
      AMQShortString realm,
      boolean exclusive,
      boolean passive,
      boolean active,
      boolean write,
      boolean read) {
    broker.receiveAccessRequest(realm, exclusive, passive, active, write, read);
  }

  @Override
  public void receiveExchangeDeclare(
      AMQShortString exchange,
      AMQShortString type,
      boolean passive,
      boolean durable,
      boolean autoDelete,
      boolean internal,
      boolean nowait,
      @Nullable FieldTable arguments) {
    broker.receiveExchangeDeclare(
        exchange, type, passive, durable, autoDelete, internal, nowait, arguments);
  }

  @Override
  public void receiveExchangeDelete(AMQShortString exchange, boolean ifUnused, boolean nowait) {
    broker.receiveExchangeDelete(exchange, ifUnused, nowait);
  }

  @Override
  public void receiveExchangeBound(
      AMQShortString exchange, AMQShortString key, AMQShortString queue) {
    broker.receiveExchangeBound(exchange, key, queue);
  }

  @Override
  public void receiveQueueDeclare(
      @Nullable AMQShortString queue,
      boolean passive,
      boolean durable,
      boolean exclusive,
      boolean autoDelete,
      boolean nowait,
      @Nullable FieldTable arguments) {
    broker.receiveQueueDeclare(queue, passive, durable, exclusive, autoDelete, nowait, arguments);
  }

  @Override
  public void receiveQueueBind(
      AMQShortString queue,
      AMQShortString exchange,
      AMQShortString key,
      boolean nowait,
      FieldTable arguments) {
    broker.receiveQueueBind(queue, exchange, key, nowait, arguments);
  }

  @Override
  public void receiveQueueUnbind(
      AMQShortString queue, AMQShortString exchange, AMQShortString key, FieldTable arguments) {
    broker.receiveQueueUnbind(queue, exchange, key, arguments);
  }

  @Override
  public void receiveQueuePurge(AMQShortString queue, boolean nowait) {
    broker.receiveQueuePurge(queue, nowait);
  }

  @Override
  public void receiveQueueDelete(
      @Nullable AMQShortString queue, boolean ifUnused, boolean ifEmpty, boolean nowait) {
    broker.receiveQueueDelete(queue, ifUnused, ifEmpty, nowait);
  }

  @Override
  public void receiveBasicRecover(boolean requeue, boolean sync) {
    broker.receiveBasicRecover(requeue, sync);
  }

  @Override
  public void receiveBasicQos(long prefetchSize, int prefetchCount, boolean global) {
    broker.receiveBasicQos(prefetchSize, prefetchCount, global);
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
    broker.receiveBasicConsume(queue, tag, noLocal, noAck, exclusive, nowait, arguments);
  }

  @Override
  public void receiveBasicCancel(AMQShortString tag, boolean nowait) {
    broker.receiveBasicCancel(tag, nowait);
  }

  @Override
  public void receiveBasicPublish(
      AMQShortString exchange, AMQShortString key, boolean mandatory, boolean immediate) {
    broker.receiveBasicPublish(exchange, key, mandatory, immediate);
  }

  @Override
  public void receiveBasicGet(AMQShortString queue, boolean noAck) {
    broker.receiveBasicGet(queue, noAck);
  }

  @Override
  public void receiveBasicAck(long tag, boolean multiple) {
    broker.receiveBasicAck(tag, multiple);
  }

  @Override
  public void receiveBasicNack(long tag, boolean multiple, boolean requeue) {
    broker.receiveBasicNack(tag, multiple, requeue);
  }

  @Override
  public void receiveBasicReject(long tag, boolean requeue) {
    broker.receiveBasicReject(tag, requeue);
  }

  @Override
  public void receiveTxSelect() {
    broker.receiveTxSelect();
  }

  @Override
  public void receiveTxCommit() {
    broker.receiveTxCommit();
  }

  @Override
  public void receiveTxRollback() {
    broker.receiveTxRollback();
  }

  @Override
  public void receiveConfirmSelect(boolean nowait) {
    broker.receiveConfirmSelect(nowait);
  }

  @Override
  public void receiveChannelFlow(boolean active) {
    broker.receiveChannelFlow(active);
  }

  @Override
  public void receiveChannelFlowOk(boolean active) {
    broker.receiveChannelFlowOk(active);
  }

  @Override
  public void receiveChannelClose(int code, AMQShortString text, int classId, int methodId) {
    broker.receiveChannelClose(code, text, classId, methodId);
  }

  @Override
  public void receiveChannelCloseOk() {
    broker.receiveChannelCloseOk();
  }

  @Override
  public void receiveMessageContent(QpidByteBuffer data) {
    broker.receiveMessageContent(data);
  }

  @Override
  public void receiveMessageHeader(BasicContentHeaderProperties properties, long bodySize) {
    broker.receiveMessageHeader(properties, bodySize);
  }

  @Override
  public boolean ignoreAllButCloseOk() {
    return broker.ignoreAllButCloseOk();
  }
}
