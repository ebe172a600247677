package io.tidemill.dashboard.recordsearch;

import io.tidemill.kafka.consumer.DeadRecord;
import io.tidemill.recordsearch.IndexedRecord;
import io.tidemill.recordsearch.RecordIndex;
import java.util.Set;
import java.util.stream.Collectors;

/// Dead letters as index records, with the ids of `GET /api/dead/{id}`.
final class DeadLetterRecords {
  static final String STATUS = "dead";

  private DeadLetterRecords() {}

  static IndexedRecord of(DeadRecord dead) {
    var topic = dead.topic();
    var headers =
        dead.headers().stream()
            .map(header -> header.name() + ": " + PlainText.of(header.value()))
            .collect(Collectors.joining(", "));
    var text =
        PlainText.join(
            "reason",
            dead.reason(),
            "key",
            PlainText.of(dead.key()),
            "headers",
            headers,
            "value",
            PlainText.of(dead.value()));
    return new IndexedRecord(
        RecordKind.DEAD.wire(),
        id(topic, dead.partition(), dead.offset()),
        dead.reason().isEmpty() ? topic : dead.reason(),
        text,
        STATUS,
        dead.at().toEpochMilli(),
        topic,
        0);
  }

  private static String id(String topic, int partition, long offset) {
    return topic + ":" + partition + "-" + offset;
  }

  /// @param queue the original one
  static IndexedRecord of(String queue, io.tidemill.amqp.consumer.DeadMessage dead) {
    var at = dead.diedAt() == null ? dead.timestamp() : dead.diedAt();
    var message = dead.messageId();
    var text =
        PlainText.join(
            "reason",
            dead.reason(),
            "message",
            message == null ? "" : message,
            "value",
            PlainText.of(dead.body()));
    return new IndexedRecord(
        RecordKind.DEAD.wire(),
        queue + ":" + dead.id(),
        dead.reason().isEmpty() ? queue : dead.reason(),
        text,
        STATUS,
        at == null ? 0 : at.toEpochMilli(),
        queue,
        0);
  }

  /// Removes handled dead letters of a topic.
  ///
  /// @param names as in [DeadRecord#name]
  static void remove(String topic, Set<String> names, RecordIndex index) {
    if (names.isEmpty()) return;
    var known = Set.copyOf(index.ofSource(RecordKind.DEAD.wire(), topic));
    for (var name : names) {
      var id = topic + ":" + name.substring(0, Math.max(0, name.indexOf('@')));
      if (known.contains(id)) index.remove(RecordKind.DEAD.wire(), id);
    }
  }

  /// Removes dead letters that their topic no longer keeps.
  ///
  /// @param topic the original one
  /// @param begin the first offset that is kept
  static void remove(String topic, int partition, long begin, RecordIndex index) {
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
