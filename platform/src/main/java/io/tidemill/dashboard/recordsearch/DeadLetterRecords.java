package io.tidemill.dashboard.recordsearch;

import io.tidemill.kafka.consumer.DeadRecord;
import io.tidemill.recordsearch.IndexedRecord;
import io.tidemill.recordsearch.RecordIndex;
import java.util.Set;
import java.util.stream.Collectors;

/// Dead letters as things that can be found, under the ids that `GET /api/dead/{id}` knows.
final class DeadLetterRecords {
  /// How every one of them stands.
  static final String STATUS = "dead";

  private DeadLetterRecords() {}

  /// A letter of a topic of dead letters.
  static IndexedRecord of(DeadRecord letter) {
    var topic = letter.topic();
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
    return new IndexedRecord(
        RecordKind.DEAD.wire(),
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
  static IndexedRecord of(String queue, io.tidemill.amqp.consumer.DeadMessage letter) {
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
    return new IndexedRecord(
        RecordKind.DEAD.wire(),
        queue + ":" + letter.id(),
        letter.reason().isEmpty() ? queue : letter.reason(),
        text,
        STATUS,
        at == null ? 0 : at.toEpochMilli(),
        queue,
        0);
  }

  /// Forgets letters of a topic that somebody has handled.
  ///
  /// @param names of letters, as [DeadRecord#name] has them
  static void forget(String topic, Set<String> names, RecordIndex index) {
    if (names.isEmpty()) return;
    var known = Set.copyOf(index.ofSource(RecordKind.DEAD.wire(), topic));
    for (var name : names) {
      var id = topic + ":" + name.substring(0, Math.max(0, name.indexOf('@')));
      if (known.contains(id)) index.remove(RecordKind.DEAD.wire(), id);
    }
  }

  /// Forgets letters that their topic no longer keeps.
  ///
  /// @param topic the one whose records died
  /// @param begin the oldest offset that there is
  static void forget(String topic, int partition, long begin, RecordIndex index) {
    var prefix = topic + ":" + partition + "-";
    for (var id : index.ofSource(RecordKind.DEAD.wire(), topic)) {
      if (id.startsWith(prefix) && isBefore(id.substring(prefix.length()), begin)) {
        index.remove(RecordKind.DEAD.wire(), id);
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
