package io.tidemill.broker.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// Copies deliveries to a queue of dead letters: their bytes, their properties and headers, and why
/// they are there (G3, F40).
final class DeadLetters {
  static final String ORIGIN = "tidemill-origin";
  static final String REASON = "tidemill-reason";
  static final String ATTEMPTS = "tidemill-attempts";
  static final String DIED_AT = "tidemill-died-at";

  private static final int PERSISTENT = 2;
  private static final int LONGEST_REASON = 1_000;

  private final Publisher publisher;
  private final BatchPlan plan;
  private final InstantSource clock;

  DeadLetters(Publisher publisher, BatchPlan plan, InstantSource clock) {
    this.publisher = publisher;
    this.plan = plan;
    this.clock = clock;
  }

  /// Returns when the broker has the copy.
  ///
  /// @throws AmqpException when it has not: then the original must stay
  void publish(Held delivery, String reason) {
    var headers = new LinkedHashMap<String, Object>();
    var original = delivery.properties.getHeaders();
    if (original != null) original.forEach((name, value) -> headers.put(kept(name), value));
    var own = facts(delivery, reason);
    headers.putAll(own);
    try {
      publisher.publish("", plan.dead(), properties(delivery, headers), delivery.body);
    } catch (AmqpException refused) {
      if (refused.isTransient() || refused.isUnroutable() || original == null) throw refused;
      // Theirs and ours together are too large for one frame: the bytes matter more.
      publisher.publish("", plan.dead(), properties(delivery, own), delivery.body);
    }
  }

  // RabbitMQ would send the copy on to the queues that these name.
  private static String kept(String name) {
    return name.equals("CC") || name.equals("BCC") ? "tidemill-" + name : name;
  }

  private Map<String, Object> facts(Held delivery, String reason) {
    var words = reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
    var facts = new LinkedHashMap<String, Object>();
    facts.put(ORIGIN, plan.queue());
    facts.put(REASON, words);
    facts.put(ATTEMPTS, delivery.attempts);
    facts.put(DIED_AT, clock.instant().toString());
    return facts;
  }

  // A dead letter does not expire, and the broker takes nobody else's user id from us.
  private static BasicProperties properties(Held delivery, Map<String, Object> headers) {
    return delivery
        .properties
        .builder()
        .headers(headers)
        .deliveryMode(PERSISTENT)
        .expiration(null)
        .userId(null)
        .build();
  }
}
