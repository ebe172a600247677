package io.tidemill.kafka;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One record to be published; records of one key keep their order.
///
/// @param at the record's time; null = when it is sent
/// @param partition where it goes; null = where the hash of its key leads
@SuppressWarnings("ArrayRecordComponent") // compared nowhere: bytes pass through
public record OutgoingRecord(
    String topic,
    byte @Nullable [] key,
    List<KafkaHeader> headers,
    byte @Nullable [] value,
    @Nullable Instant at,
    @Nullable Integer partition) {
  // Written out: of a compact one the compiler forgets which parameters may be null.
  public OutgoingRecord(
      String topic,
      byte @Nullable [] key,
      List<KafkaHeader> headers,
      byte @Nullable [] value,
      @Nullable Instant at,
      @Nullable Integer partition) {
    this.topic = topic;
    this.key = key;
    this.headers = List.copyOf(headers);
    this.value = value;
    this.at = at;
    this.partition = partition;
  }

  public OutgoingRecord(
      String topic,
      byte @Nullable [] key,
      List<KafkaHeader> headers,
      byte @Nullable [] value,
      @Nullable Instant at) {
    this(topic, key, headers, value, at, null);
  }

  public OutgoingRecord(
      String topic, byte @Nullable [] key, List<KafkaHeader> headers, byte @Nullable [] value) {
    this(topic, key, headers, value, null);
  }
}
