package io.tidemill.amqp.consumer;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.config.Renaming;
import io.tidemill.content.fingerprint.Digest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One dead letter: the original message, where it was, and why it is dead.
///
/// @param id names it among the letters of its queue
/// @param origin the contract's name of the queue that it came from; empty when the letter does not
///   say
/// @param diedAt null when the letter does not say
/// @param timestamp the original's; null when it has none
/// @param headers the original's, as in a [AmqpDelivery]; empty in lists
/// @param size bytes of the body
/// @param body null in lists
@SuppressWarnings("ArrayRecordComponent") // compared nowhere: bytes pass through
public record DeadMessage(
    String id,
    String origin,
    int attempts,
    String reason,
    @Nullable Instant diedAt,
    @Nullable String messageId,
    @Nullable String contentType,
    @Nullable Instant timestamp,
    Map<String, Object> headers,
    int size,
    byte @Nullable [] body) {
  private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,64}");
  private static final int ID_BYTES = 16;
  private static final int LONGEST_REASON = 1_000;
  private static final int LONGEST_NAME = 255;

  /// Whether this can name a letter.
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /// @param queues what they are called on the broker
  public static DeadMessage of(HeldMessage held, Renaming queues) {
    var letter = held.properties;
    var body = held.body;
    var original = new HeldMessage(0, false, DeadMessagePublisher.original(letter), body).deliver();
    return new DeadMessage(
        id(held),
        origin(letter, queues),
        number(letter, DeadMessagePublisher.ATTEMPTS),
        text(letter, DeadMessagePublisher.REASON, LONGEST_REASON),
        time(text(letter, DeadMessagePublisher.DIED_AT, LONGEST_NAME)),
        original.messageId(),
        original.contentType(),
        original.timestamp(),
        original.headers(),
        body.length,
        body);
  }

  /// What is needed to list it: a thousand of these are small, whatever the messages were.
  public static DeadMessage listed(HeldMessage held, Renaming queues) {
    var whole = of(held, queues);
    return new DeadMessage(
        whole.id,
        whole.origin,
        whole.attempts,
        whole.reason,
        whole.diedAt,
        whole.messageId,
        whole.contentType,
        whole.timestamp,
        Map.of(),
        whole.size,
        null);
  }

  /// Strangers give their letters no id: what they are stands for it, and of two that are equal
  /// either will do.
  public static String id(HeldMessage held) {
    var given = text(held.properties, DeadMessagePublisher.ID, LONGEST_NAME);
    return isId(given) ? given : derived(held);
  }

  public static String origin(BasicProperties letter, Renaming queues) {
    return queues.original(origin(letter));
  }

  private static String origin(BasicProperties letter) {
    return text(letter, DeadMessagePublisher.ORIGIN, LONGEST_NAME);
  }

  private static String derived(HeldMessage held) {
    var where = origin(held.properties) + "\0" + held.properties.getMessageId() + "\0";
    return Digest.sha256().add(where).add(held.body).hex(ID_BYTES);
  }

  // Anybody can write a dead letter: what is not as we write it says nothing.
  private static String text(BasicProperties letter, String name, int longest) {
    var headers = letter.getHeaders();
    var value = headers == null ? null : headers.get(name);
    var text = value == null ? "" : value.toString();
    return text.length() > longest ? text.substring(0, longest) : text;
  }

  private static int number(BasicProperties letter, String name) {
    var headers = letter.getHeaders();
    return headers != null && headers.get(name) instanceof Number number
        ? Math.max(0, number.intValue())
        : 0;
  }

  private static @Nullable Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException silent) {
      return null;
    }
  }
}
