package io.tidemill.servers.rabbitmq;

import static org.apache.qpid.server.protocol.ErrorCodes.NO_ROUTE;

import org.apache.qpid.server.message.InstanceProperties;
import org.apache.qpid.server.message.MessageContentSource;
import org.apache.qpid.server.protocol.v0_8.AMQMessage;
import org.apache.qpid.server.protocol.v0_8.AMQShortString;
import org.apache.qpid.server.protocol.v0_8.ProtocolOutputConverter;
import org.apache.qpid.server.protocol.v0_8.transport.AMQDataBlock;
import org.apache.qpid.server.protocol.v0_8.transport.BasicAckBody;
import org.apache.qpid.server.protocol.v0_8.transport.BasicNackBody;
import org.apache.qpid.server.protocol.v0_8.transport.ContentHeaderBody;
import org.apache.qpid.server.protocol.v0_8.transport.MessagePublishInfo;

/// Writes messages; one that no queue takes is returned first and acknowledged then, one that a
/// full queue refuses is nacked and not returned.
final class RabbitOutput implements ProtocolOutputConverter {
  private static final AMQShortString UNROUTABLE = AMQShortString.createAMQShortString("NO_ROUTE");

  private final ProtocolOutputConverter broker;
  private final RabbitConnection connection;

  RabbitOutput(ProtocolOutputConverter broker, RabbitConnection connection) {
    this.broker = broker;
    this.connection = connection;
  }

  @Override
  public void writeReturn(
      MessagePublishInfo info,
      ContentHeaderBody header,
      MessageContentSource content,
      int channel,
      int code,
      AMQShortString text) {
    var isUnroutable = code == NO_ROUTE;
    var refused = connection.refusedPublish(channel);
    if (refused == null || (isUnroutable && refused.isMandatory())) {
      broker.writeReturn(info, header, content, channel, code, isUnroutable ? UNROUTABLE : text);
    }
    if (refused == null) return;
    var confirm =
        isUnroutable
            ? new BasicAckBody(refused.tag(), false)
            : new BasicNackBody(refused.tag(), false, false);
    connection.confirm(confirm.generateFrame(channel));
  }

  @Override
  public void confirmConsumerAutoClose(int channel, AMQShortString consumer) {
    broker.confirmConsumerAutoClose(channel, consumer);
  }

  @Override
  public long writeDeliver(
      AMQMessage message,
      InstanceProperties properties,
      int channel,
      long tag,
      AMQShortString consumer) {
    return broker.writeDeliver(message, properties, channel, tag, consumer);
  }

  @Override
  public long writeGetOk(
      AMQMessage message, InstanceProperties properties, int channel, long tag, int queueSize) {
    return broker.writeGetOk(message, properties, channel, tag, queueSize);
  }

  @Override
  public void writeFrame(AMQDataBlock block) {
    broker.writeFrame(block);
  }
}
