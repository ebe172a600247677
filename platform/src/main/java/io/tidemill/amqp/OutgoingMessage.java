package io.tidemill.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One message to publish.
///
/// @param exchange empty for the default one, where the routing key names the queue
/// @param headers text, numbers, bytes; may be empty
/// @param timestamp the broker keeps whole seconds of it
@SuppressWarnings("ArrayRecordComponent") // written once, straight to the socket
public record OutgoingMessage(
    String exchange,
    String routingKey,
    byte[] body,
    Map<String, Object> headers,
    @Nullable String messageId,
    @Nullable String contentType,
    @Nullable Instant timestamp) {
  private static final int PERSISTENT = 2;

  @SuppressWarnings("JavaUtilDate") // the client's type
  BasicProperties properties() {
    return new BasicProperties.Builder()
        .deliveryMode(PERSISTENT)
        .contentType(contentType)
        .messageId(messageId)
        .headers(headers.isEmpty() ? null : headers)
        .timestamp(timestamp == null ? null : new Date(timestamp.toEpochMilli()))
        .build();
  }
}
