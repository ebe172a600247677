package io.tidemill.kafka.consumer;

import io.tidemill.config.Renaming;
import io.tidemill.json.IsoTime;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.kafka.consumer.HeldRecord.DeadReason;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/// Publishes copies of records that can't be handled to the dead letter topic beside their own: the
/// original key, headers and value, and in further headers its position, the number of attempts,
/// the reason and the time (G3).
///
/// A crash between the copy and the commit of the original makes no second copy: the next owner
/// reads the end of the dead letter topic before the first copy of each partition.
public final class DeadRecordPublisher {
  static final String PREFIX = "dead-";
  static final String REASON = "dead-reason";
  static final String ATTEMPTS = "dead-attempts";
  static final String TOPIC = "dead-topic";
  static final String PARTITION = "dead-partition";
  static final String OFFSET = "dead-offset";
  static final String TIMESTAMP = "dead-timestamp";
  static final String STACK = "dead-stack";

  private static final int MAX_REASON = 1_000;
  private static final int MAX_STACK = 4_000;

  // The original was as large as its topic allows; the headers come on top.
  private static final int MAX_MESSAGE = 16 * 1024 * 1024;

  private final KafkaPublisher publisher;
  private final DeadRecordTail tail;
  private final Renaming topics;
  private final InstantSource clock;

  /// @param topics what they are called on the broker, where others read the headers
  DeadRecordPublisher(
      KafkaPublisher publisher, DeadRecordTail tail, Renaming topics, InstantSource clock) {
    this.publisher = publisher;
    this.tail = tail;
    this.topics = topics;
    this.clock = clock;
  }

  /// The name of the topic with the dead letters of a topic.
  public static String topic(String topic) {
    return topic + ".dead";
  }

  /// Dead letters are kept until an operator deletes them.
  static TopicProvisioner.Wanted wanted(String topic) {
    return new TopicProvisioner.Wanted(
        topic(topic),
        1,
        Duration.ofMillis(-1),
        Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(MAX_MESSAGE)));
  }

  /// Returns when the broker has confirmed it, or has it from an earlier owner of the partition.
  void publish(HeldRecord held, DeadReason why) {
    var reason = cut(why.text(), MAX_REASON);
    var record = held.record;
    var origin = new DeadRecordTail.Origin(record.offset(), record.timestamp(), reason);
    if (held.partition.wasDeadBefore(origin, tail)) return;
    publisher.publish(deadLetter(record, held.attempts, reason, why.cause()));
  }

  private OutgoingRecord deadLetter(
      KafkaRecord record, int attempts, String reason, @Nullable Throwable cause) {
    // A redriven record that fails again has only the headers of its last failure.
    var headers =
        new ArrayList<>(
            record.headers().stream().filter(h -> !h.name().startsWith(PREFIX)).toList());
    headers.addAll(
        List.of(
            KafkaHeader.of(REASON, reason),
            KafkaHeader.of(ATTEMPTS, String.valueOf(attempts)),
            KafkaHeader.of(TOPIC, topics.name(record.topic())),
            KafkaHeader.of(PARTITION, String.valueOf(record.partition())),
            KafkaHeader.of(OFFSET, String.valueOf(record.offset())),
            KafkaHeader.of(TIMESTAMP, String.valueOf(record.timestamp())),
            KafkaHeader.of("dead-at", IsoTime.text(clock.instant()))));
    if (cause != null) headers.add(KafkaHeader.of(STACK, cut(stack(cause), MAX_STACK)));
    return new OutgoingRecord(topic(record.topic()), record.key(), headers, record.value());
  }

  private static String stack(Throwable cause) {
    var text = new StringWriter();
    cause.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }
}
