package io.tidemill.amqp.consumer;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.json.IsoTime;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Copies deliveries to a queue of dead letters: their bytes, their properties and headers, and why
/// they are there (G3, F40).
public final class DeadMessagePublisher {
  static final String ID = "tidemill-id";
  static final String ORIGIN = "tidemill-origin";
  static final String REASON = "tidemill-reason";
  static final String ATTEMPTS = "tidemill-attempts";
  static final String DIED_AT = "tidemill-died-at";

  // Of the letter, and not of the message that it was: ours, and how often a broker delivered it.
  private static final Set<String> OF_THE_LETTER =
      Set.of(ID, ORIGIN, REASON, ATTEMPTS, DIED_AT, "x-delivery-count", "x-acquired-count");
  private static final Map<String, String> HIDDEN =
      Map.of("CC", "tidemill-CC", "BCC", "tidemill-BCC");
  private static final Map<String, String> SHOWN =
      Map.of("tidemill-CC", "CC", "tidemill-BCC", "BCC");
  private static final int PERSISTENT = 2;
  private static final int LONGEST_REASON = 1_000;

  private final AmqpPublisher publisher;
  private final String origin;
  private final String dead;
  private final InstantSource clock;

  /// @param origin the queue that the deliveries come from, as the broker calls it: others read it
  /// @param dead the queue that the copies go to
  public DeadMessagePublisher(
      AmqpPublisher publisher, String origin, String dead, InstantSource clock) {
    this.publisher = publisher;
    this.origin = origin;
    this.dead = dead;
    this.clock = clock;
  }

  /// Returns when the broker has the copy.
  ///
  /// @throws AmqpException when it has not: then the original must stay
  public void publish(HeldMessage delivery, String reason) {
    var headers = new LinkedHashMap<String, Object>();
    var original = delivery.properties.getHeaders();
    if (original != null) original.forEach((name, value) -> headers.put(hidden(name), value));
    var own = facts(delivery, reason);
    headers.putAll(own);
    try {
      publisher.publish("", dead, lasting(delivery.properties, headers), delivery.body);
    } catch (AmqpException refused) {
      if (refused.isTransient() || refused.isUnroutable() || original == null) throw refused;
      // Theirs and ours together are too large for one frame: the bytes matter more.
      publisher.publish("", dead, lasting(delivery.properties, own), delivery.body);
    }
  }

  // RabbitMQ would send the copy on to the queues that these name.
  private static String hidden(String name) {
    return HIDDEN.getOrDefault(name, name);
  }

  /// What the message had before it became a letter, for its way back.
  public static BasicProperties original(BasicProperties letter) {
    var headers = new LinkedHashMap<String, Object>();
    var all = letter.getHeaders();
    if (all != null) {
      all.forEach((name, value) -> {
        if (!OF_THE_LETTER.contains(name)) headers.put(SHOWN.getOrDefault(name, name), value);
      });
    }
    return lasting(letter, headers.isEmpty() ? null : headers);
  }

  private Map<String, Object> facts(HeldMessage delivery, String reason) {
    var words = reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
    var facts = new LinkedHashMap<String, Object>();
    facts.put(ID, UUID.randomUUID().toString());
    facts.put(ORIGIN, origin);
    facts.put(REASON, words);
    facts.put(ATTEMPTS, delivery.attempts);
    facts.put(DIED_AT, IsoTime.text(clock.instant()));
    return facts;
  }

  // Neither a letter nor what was sent on its way again by hand may expire, and the broker takes
  // nobody else's user id from us.
  private static BasicProperties lasting(
      BasicProperties properties, @Nullable Map<String, Object> headers) {
    return properties
        .builder()
        .headers(headers)
        .deliveryMode(PERSISTENT)
        .expiration(null)
        .userId(null)
        .build();
  }
}
