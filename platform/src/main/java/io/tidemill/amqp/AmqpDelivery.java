package io.tidemill.amqp;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One message from a queue, to be settled by whoever handles it.
///
/// @param headers text is a `String`, bytes are `byte[]`, times are `java.util.Date`
/// @param attempt 1 for the first time that this process tries it
/// @param redelivered whether somebody had it before and did not settle it
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record AmqpDelivery(
    byte[] body,
    Map<String, Object> headers,
    @Nullable String messageId,
    @Nullable String contentType,
    @Nullable Instant timestamp,
    boolean redelivered,
    int attempt) {
  /// A header that is text; empty when it is something else.
  public Optional<String> text(String name) {
    return headers.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
