package io.tidemill.broker.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One dead letter: the original message, where it was, and why it is dead.
///
/// @param id names it among the letters of its queue
/// @param origin the queue that it came from; empty when the letter does not say
/// @param diedAt null when the letter does not say
/// @param timestamp the original's; null when it has none
/// @param headers the original's, as in a [Delivery]; empty in lists
/// @param size bytes of the body
/// @param body null in lists
@SuppressWarnings("ArrayRecordComponent") // compared nowhere: bytes pass through
public record DeadLetter(
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

  static DeadLetter of(Held held) {
    var letter = held.properties;
    var body = held.body;
    var original = new Held(0, false, DeadLetters.original(letter), body).deliver();
    return new DeadLetter(
        id(held),
        origin(letter),
        number(letter, DeadLetters.ATTEMPTS),
        text(letter, DeadLetters.REASON, LONGEST_REASON),
        time(text(letter, DeadLetters.DIED_AT, LONGEST_NAME)),
        original.messageId(),
        original.contentType(),
        original.timestamp(),
        original.headers(),
        body.length,
        body);
  }

  /// What is needed to list it: a thousand of these are small, whatever the messages were.
  static DeadLetter listed(Held held) {
    var whole = of(held);
    return new DeadLetter(
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
  static String id(Held held) {
    var given = text(held.properties, DeadLetters.ID, LONGEST_NAME);
    return isId(given) ? given : derived(held);
  }

  static String origin(BasicProperties letter) {
    return text(letter, DeadLetters.ORIGIN, LONGEST_NAME);
  }

  private static String derived(Held held) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var where = origin(held.properties) + "\0" + held.properties.getMessageId() + "\0";
      digest.update(where.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(held.body), 0, ID_BYTES);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
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
