package io.tidemill.servers.rabbitmq;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.qpid.server.model.AlternateBinding;
import org.apache.qpid.server.model.ConfiguredObject;
import org.apache.qpid.server.model.OverflowPolicy;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.queue.PriorityQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// The `x-` arguments that a queue was declared with, as RabbitMQ understands them.
///
/// @param values numbers as [Long], the rest as text; what a queue has without them is left out
record QueueArguments(Map<String, Object> values) {
  /// Where a queue keeps its arguments; queues of earlier versions have none.
  private static final String KEPT = "rabbitmq.arguments";

  private static final String TTL = "x-message-ttl";
  private static final String MAX_LENGTH = "x-max-length";
  private static final String MAX_BYTES = "x-max-length-bytes";
  private static final String MAX_PRIORITY = "x-max-priority";
  private static final String OVERFLOW = "x-overflow";
  private static final String DEAD_LETTER_EXCHANGE = "x-dead-letter-exchange";
  private static final String DEAD_LETTER_KEY = "x-dead-letter-routing-key";
  private static final String QUEUE_TYPE = "x-queue-type";
  private static final Set<String> NUMBERS =
      Set.of(TTL, MAX_LENGTH, MAX_BYTES, MAX_PRIORITY, "x-expires", "x-delivery-limit");
  private static final Set<String> OVERFLOWS = Set.of("drop-head", "reject-publish");
  private static final long MOST_PRIORITIES = 255;
  private static final JsonMapper JSON = new JsonMapper();

  /// An argument whose value RabbitMQ refuses.
  static final class Invalid extends Exception {
    Invalid(String argument, Object value, String expected) {
      super("invalid arg '%s': %s, expected %s".formatted(argument, value, expected));
    }
  }

  /// @param sent all arguments of a declaration
  static QueueArguments of(Map<String, Object> sent) throws Invalid {
    var values = new TreeMap<String, Object>();
    for (var argument : sent.entrySet()) {
      var name = argument.getKey();
      if (name.startsWith("x-") && !name.startsWith("x-qpid")) {
        values.put(name, value(name, argument.getValue()));
      }
    }
    values.remove(QUEUE_TYPE, "classic");
    values.remove(OVERFLOW, "drop-head");
    if (values.containsKey(DEAD_LETTER_KEY) && !values.containsKey(DEAD_LETTER_EXCHANGE)) {
      throw new Invalid(
          DEAD_LETTER_KEY, values.get(DEAD_LETTER_KEY), DEAD_LETTER_EXCHANGE + " too");
    }
    return new QueueArguments(values);
  }

  private static Object value(String name, Object sent) throws Invalid {
    if (NUMBERS.contains(name)) return number(name, sent);
    if (name.equals(OVERFLOW) && !OVERFLOWS.contains(String.valueOf(sent))) {
      throw new Invalid(name, sent, "drop-head or reject-publish");
    }
    return sent instanceof Boolean ? sent : String.valueOf(sent);
  }

  private static Long number(String name, Object sent) throws Invalid {
    if (!(sent instanceof Number number) || number.longValue() < 0) {
      throw new Invalid(name, sent, "a number of at least 0");
    }
    if (name.equals(MAX_PRIORITY) && number.longValue() > MOST_PRIORITIES) {
      throw new Invalid(name, sent, "at most " + MOST_PRIORITIES);
    }
    return number.longValue();
  }

  /// Those that a queue was declared with; null when it was made by an earlier version.
  static @Nullable QueueArguments kept(Queue<?> queue) {
    var kept = queue.getContext().get(KEPT);
    return kept == null ? null : new QueueArguments(parsed(kept));
  }

  @SuppressWarnings("unchecked") // an object in JSON
  private static Map<String, Object> parsed(String kept) {
    var values = new TreeMap<String, Object>();
    JSON.readValue(kept, Map.class)
        .forEach((name, value) -> values.put(String.valueOf(name), widened(value)));
    return values;
  }

  private static Object widened(Object value) {
    return value instanceof Integer number ? (Object) number.longValue() : value;
  }

  /// Where rejected and expired messages go; null when they are dropped.
  @Nullable String deadLetterExchange() {
    return (String) values.get(DEAD_LETTER_EXCHANGE);
  }

  /// The key that they go with; null for the one that they came with.
  @Nullable String deadLetterKey() {
    return (String) values.get(DEAD_LETTER_KEY);
  }

  /// The attributes of the broker's queue that have the same effect.
  Map<String, Object> attributes(String queue) {
    var attributes = new HashMap<String, Object>();
    attributes.put(ConfiguredObject.CONTEXT, Map.of(KEPT, JSON.writeValueAsString(values)));
    put(attributes, Queue.MAXIMUM_MESSAGE_TTL, TTL);
    put(attributes, Queue.MAXIMUM_QUEUE_DEPTH_MESSAGES, MAX_LENGTH);
    put(attributes, Queue.MAXIMUM_QUEUE_DEPTH_BYTES, MAX_BYTES);
    if (values.containsKey(MAX_LENGTH) || values.containsKey(MAX_BYTES)) {
      var refuses = values.containsKey(OVERFLOW);
      attributes.put(
          Queue.OVERFLOW_POLICY, (refuses ? OverflowPolicy.REJECT : OverflowPolicy.RING).name());
    }
    if (values.get(MAX_PRIORITY) instanceof Long most) {
      attributes.put(PriorityQueue.PRIORITIES, (int) (most + 1));
    }
    if (deadLetterExchange() != null) {
      attributes.put(Queue.EXPIRY_POLICY, Queue.ExpiryPolicy.ROUTE_TO_ALTERNATE.name());
      attributes.put(
          Queue.ALTERNATE_BINDING,
          Map.of(AlternateBinding.DESTINATION, DeadLetterDestination.nameFor(queue)));
    }
    return attributes;
  }

  private void put(Map<String, Object> attributes, String attribute, String argument) {
    if (values.get(argument) instanceof Long number) attributes.put(attribute, number);
  }
}
