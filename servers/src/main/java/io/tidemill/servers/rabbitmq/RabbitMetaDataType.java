package io.tidemill.servers.rabbitmq;

import org.apache.qpid.server.bytebuffer.QpidByteBuffer;
import org.apache.qpid.server.protocol.v0_8.MessageMetaData;
import org.apache.qpid.server.protocol.v0_8.MessageMetaDataType_0_8;
import org.apache.qpid.server.protocol.v0_8.transport.ContentHeaderBody;

/// Reads stored messages, with an `expiration` that counts from their arrival.
public final class RabbitMetaDataType extends MessageMetaDataType_0_8 {
  @Override
  public MessageMetaData createMetaData(QpidByteBuffer stored) {
    var read = super.createMetaData(stored);
    var header = read.getContentHeaderBody();
    var properties = header.getProperties();
    if (!properties.hasExpiration()) return read;
    return new MessageMetaData(
        read.getMessagePublishInfo(),
        new ContentHeaderBody(
            RelativeExpiration.of(properties, read.getArrivalTime()), header.getBodySize()),
        read.getArrivalTime());
  }

  @Override
  public String getType() {
    return "rabbitmq";
  }
}
