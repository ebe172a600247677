package io.tidemill.dashboard.find;

import io.tidemill.broker.kafka.KafkaRecord;
import io.tidemill.store.search.things.Thing;
import io.tidemill.store.search.things.ThingIndex;
import java.util.stream.Collectors;

/// Dead letters as things that can be found, under the ids that `GET /api/dead/{id}` knows.
final class DeadThings {
  /// How every one of them stands.
  static final String STATUS = "dead";

  private DeadThings() {}

  /// A record of a topic of dead letters.
  ///
  /// @param topic the one whose records died
  static Thing of(String topic, KafkaRecord record) {
    var letter = io.tidemill.broker.kafka.DeadLetter.of(topic, record);
    var headers =
        letter.headers().stream()
            .map(header -> header.name() + ": " + PlainText.of(header.value()))
            .collect(Collectors.joining(", "));
    var text =
        PlainText.join(
            "reason",
            letter.reason(),
            "key",
            PlainText.of(letter.key()),
            "headers",
            headers,
            "value",
            PlainText.of(letter.value()));
    return new Thing(
        Kind.DEAD.wire(),
        id(topic, letter.partition(), letter.offset()),
        letter.reason().isEmpty() ? topic : letter.reason(),
        text,
        STATUS,
        letter.at().toEpochMilli(),
        topic,
        0);
  }

  private static String id(String topic, int partition, long offset) {
    return topic + ":" + partition + "-" + offset;
  }

  /// A message of a queue of dead letters.
  ///
  /// @param queue the one whose messages died
  static Thing of(String queue, io.tidemill.broker.amqp.DeadLetter letter) {
    var at = letter.diedAt() == null ? letter.timestamp() : letter.diedAt();
    var message = letter.messageId();
    var text =
        PlainText.join(
            "reason",
            letter.reason(),
            "message",
            message == null ? "" : message,
            "value",
            PlainText.of(letter.body()));
    return new Thing(
        Kind.DEAD.wire(),
        queue + ":" + letter.id(),
        letter.reason().isEmpty() ? queue : letter.reason(),
        text,
        STATUS,
        at == null ? 0 : at.toEpochMilli(),
        queue,
        0);
  }

  /// Forgets letters that their topic no longer keeps.
  ///
  /// @param topic the one whose records died
  /// @param begin the oldest offset that there is
  static void forget(String topic, int partition, long begin, ThingIndex index) {
    var prefix = topic + ":" + partition + "-";
    for (var id : index.ofSource(Kind.DEAD.wire(), topic)) {
      if (id.startsWith(prefix) && isBefore(id.substring(prefix.length()), begin)) {
        index.remove(Kind.DEAD.wire(), id);
      }
    }
  }

  private static boolean isBefore(String offset, long begin) {
    try {
      return Long.parseLong(offset) < begin;
    } catch (NumberFormatException another) {
      return false;
    }
  }
}
