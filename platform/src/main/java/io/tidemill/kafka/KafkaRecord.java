package io.tidemill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.config.Renaming;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// One record that was read from a topic: its bytes and its position.
///
/// @param topic the contract's name of it
/// @param timestamp milliseconds since the epoch, as the writer or the broker set it
@SuppressWarnings("ArrayRecordComponent") // compared nowhere: bytes pass through
public record KafkaRecord(
    String topic,
    int partition,
    long offset,
    byte @Nullable [] key,
    List<KafkaHeader> headers,
    byte @Nullable [] value,
    long timestamp) {
  // Written out: of a compact one the compiler forgets which parameters may be null.
  public KafkaRecord(
      String topic,
      int partition,
      long offset,
      byte @Nullable [] key,
      List<KafkaHeader> headers,
      byte @Nullable [] value,
      long timestamp) {
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    this.key = key;
    this.headers = List.copyOf(headers);
    this.value = value;
    this.timestamp = timestamp;
  }

  /// @param topics what they are called on the broker
  public static KafkaRecord of(ConsumerRecord<byte[], byte[]> record, Renaming topics) {
    var headers = new ArrayList<KafkaHeader>();
    for (var header : record.headers()) headers.add(new KafkaHeader(header.key(), header.value()));
    return new KafkaRecord(
        topics.original(record.topic()),
        record.partition(),
        record.offset(),
        record.key(),
        headers,
        record.value(),
        record.timestamp());
  }

  /// The last header of this name, as Kafka itself reads it.
  public Optional<byte[]> header(String name) {
    for (var header : headers.reversed()) {
      if (header.name().equals(name)) return Optional.ofNullable(header.value());
    }
    return Optional.empty();
  }

  /// The same as text.
  public Optional<String> text(String name) {
    return header(name).map(bytes -> new String(bytes, UTF_8));
  }

  /// Topic, partition and offset, for logs.
  public String place() {
    return topic + "-" + partition + "@" + offset;
  }
}
