package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.OutgoingRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One dead letter: the original record, where it was, and why it is dead.
///
/// @param topic the topic that it came from
/// @param partition where the letter lies in the topic of the dead
/// @param at when it was written
/// @param originPartition where the original was; -1 when the letter does not say
/// @param originAt the original's time; null when the letter does not say
/// @param headers the original's, without those that tell of its death
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

  /// @param topic the one whose records died
  /// @param letter as it lies in the topic of the dead
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
        text(letter, "dead-stack"),
        letter.key(),
        letter.headers().stream()
            .filter(h -> !h.name().startsWith(DeadRecordPublisher.PREFIX))
            .toList(),
        letter.value() == null ? 0 : letter.value().length,
        letter.value());
  }

  /// What is needed to list it: a thousand of these are small, whatever the records were.
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

  /// Names it among the letters of its topic for good: the offsets of a topic that was made anew
  /// begin again, so its time is part of it.
  public String name() {
    return "%d-%d@%d".formatted(partition, offset, at.toEpochMilli());
  }

  /// The original as it was, for its own topic and partition.
  public OutgoingRecord original() {
    var partition = originPartition < 0 ? null : originPartition;
    return new OutgoingRecord(topic, key, headers, value, originAt, partition);
  }

  private static String text(KafkaRecord letter, String name) {
    return letter.header(name).map(value -> new String(value, StandardCharsets.UTF_8)).orElse("");
  }

  // Anybody can write a dead letter: what is no number says nothing.
  private static long number(KafkaRecord letter, String name) {
    try {
      return Math.max(-1, Long.parseLong(text(letter, name)));
    } catch (NumberFormatException silent) {
      return -1;
    }
  }
}
