package io.tidemill.servers.rabbitmq;

import org.apache.qpid.server.bytebuffer.QpidByteBuffer;
import org.apache.qpid.server.protocol.v0_8.AMQFrameDecodingException;
import org.apache.qpid.server.protocol.v0_8.transport.BasicContentHeaderProperties;
import org.apache.qpid.server.util.ConnectionScopedRuntimeException;

/// Properties of a message whose `expiration` counts from its arrival, as clients mean it; the
/// broker reads it as a time since 1970. On the wire and on disk the property stays as it was sent.
final class RelativeExpiration extends BasicContentHeaderProperties {
  private final long arrivedAt;

  private RelativeExpiration(QpidByteBuffer encoded, int flags, int size, long arrivedAt)
      throws AMQFrameDecodingException {
    super(encoded, flags, size);
    this.arrivedAt = arrivedAt;
  }

  /// Takes over what was sent; the properties themselves when they name no expiration.
  static BasicContentHeaderProperties of(BasicContentHeaderProperties sent, long arrivedAt) {
    if (!sent.hasExpiration()) return sent;
    var size = sent.getPropertyListSize();
    try (var encoded = QpidByteBuffer.allocate(size)) {
      sent.writePropertyListPayload(encoded);
      encoded.flip();
      return new RelativeExpiration(encoded, sent.getPropertyFlags(), size, arrivedAt);
    } catch (AMQFrameDecodingException impossible) {
      throw new ConnectionScopedRuntimeException(impossible); // it was decoded before
    } finally {
      sent.dispose();
    }
  }

  /// Milliseconds from the arrival, as sent.
  long timeToLive() {
    return super.getExpiration();
  }

  @Override
  public long getExpiration() {
    var at = arrivedAt + timeToLive();
    return at < 0 ? Long.MAX_VALUE : at;
  }
}
