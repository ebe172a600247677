package io.tidemill.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A delivery that is not settled yet, with its tag on the channel that it came by.
public final class HeldMessage {
  public final long tag;
  public final boolean redelivered;
  public final BasicProperties properties;
  public final byte[] body;
  public final long since = System.nanoTime();

  /// How often the handler had it.
  public int attempts;

  /// How often it failed for a reason of its own.
  public int strikes;

  /// Not to be tried before this.
  public long notBefore = since;

  public HeldMessage(long tag, boolean redelivered, BasicProperties properties, byte[] body) {
    this.tag = tag;
    this.redelivered = redelivered;
    this.properties = properties;
    this.body = body;
  }

  /// For the handler, which sees it once more.
  public AmqpDelivery deliver() {
    attempts++;
    return new AmqpDelivery(
        body,
        headers(properties.getHeaders()),
        properties.getMessageId(),
        properties.getContentType(),
        instant(properties.getTimestamp()),
        redelivered,
        attempts);
  }

  @SuppressWarnings("JavaUtilDate") // the client's type
  private static @Nullable Instant instant(@Nullable Date time) {
    return time == null ? null : Instant.ofEpochMilli(time.getTime());
  }

  private static Map<String, Object> headers(@Nullable Map<String, Object> raw) {
    if (raw == null) return Map.of();
    var headers = new LinkedHashMap<String, Object>();
    raw.forEach((name, value) -> {
      if (value != null) headers.put(name, plain(value));
    });
    return headers;
  }

  private static Object plain(@Nullable Object value) {
    return switch (value) {
      case LongString text -> text(text.getBytes());
      case List<?> list -> list.stream().map(HeldMessage::plain).toList();
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<String, Object>();
        map.forEach((name, inner) -> copy.put(String.valueOf(name), plain(inner)));
        yield copy;
      }
      case null -> "";
      default -> value;
    };
  }

  // AMQP's long strings may hold anything.
  private static Object text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      return bytes;
    }
  }
}
