package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.OutgoingRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One dead letter of a topic: the original record, its position, and why it is dead.
///
/// @param topic of the original
/// @param partition of the dead letter in the dead letter topic
/// @param at when the dead letter was written
/// @param originPartition of the original; -1 when it is not known
/// @param originAt timestamp of the original; null when it is not known
/// @param headers of the original
/// @param size bytes of the value
/// @param value null when the original had none, and in lists
@SuppressWarnings("ArrayRecordComponent") // compared nowhere: bytes pass through
public record DeadRecord(
    String topic,
    int partition,
    long offset,
    Instant at,
    int originPartition,
    long originOffset,
    @Nullable Instant originAt,
    int attempts,
    String reason,
    String stack,
    byte @Nullable [] key,
    List<KafkaHeader> headers,
    int size,
    byte @Nullable [] value) {

  /// @param topic of the original
  /// @param letter as it was read from the dead letter topic
  public static DeadRecord of(String topic, KafkaRecord letter) {
    var originAt = number(letter, DeadRecordPublisher.TIMESTAMP);
    return new DeadRecord(
        topic,
        letter.partition(),
        letter.offset(),
        Instant.ofEpochMilli(letter.timestamp()),
        (int) number(letter, DeadRecordPublisher.PARTITION),
        number(letter, DeadRecordPublisher.OFFSET),
        originAt < 0 ? null : Instant.ofEpochMilli(originAt),
        (int) Math.max(0, number(letter, DeadRecordPublisher.ATTEMPTS)),
        text(letter, DeadRecordPublisher.REASON),
        text(letter, DeadRecordPublisher.STACK),
        letter.key(),
        letter.headers().stream()
            .filter(h -> !h.name().startsWith(DeadRecordPublisher.PREFIX))
            .toList(),
        letter.value() == null ? 0 : letter.value().length,
        letter.value());
  }

  /// Without value, headers and stack trace: lists stay small however large the records are.
  public static DeadRecord listed(String topic, KafkaRecord letter, int longestKey) {
    var whole = of(topic, letter);
    var key = whole.key;
    return new DeadRecord(
        topic,
        whole.partition,
        whole.offset,
        whole.at,
        whole.originPartition,
        whole.originOffset,
        whole.originAt,
        whole.attempts,
        whole.reason,
        "",
        key == null || key.length <= longestKey ? key : Arrays.copyOf(key, longestKey),
        List.of(),
        whole.size,
        null);
  }

  /// Identifies the dead letter in its topic. The time is part of it as the offsets of a topic that
  /// is deleted and created again restart at zero.
  public String name() {
    return "%d-%d@%d".formatted(partition, offset, at.toEpochMilli());
  }

  /// The original, addressed to its own topic and partition.
  public OutgoingRecord original() {
    var partition = originPartition < 0 ? null : originPartition;
    return new OutgoingRecord(topic, key, headers, value, originAt, partition);
  }

  private static String text(KafkaRecord letter, String name) {
    return letter.text(name).orElse("");
  }

  // Other programs may write dead letters, too: a header that is no number is ignored.
  private static long number(KafkaRecord letter, String name) {
    try {
      return Math.max(-1, Long.parseLong(text(letter, name)));
    } catch (NumberFormatException ignored) {
      return -1;
    }
  }
}
