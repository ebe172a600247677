package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.TopicProvisioner;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/// Records that can't be handled, kept whole beside their topic: the original key, headers and
/// value, and in further headers where it was, how often it was tried, why it failed and when (G3).
public final class DeadRecordPublisher {
  static final String PREFIX = "dead-";
  static final String REASON = "dead-reason";
  static final String ATTEMPTS = "dead-attempts";
  static final String TOPIC = "dead-topic";
  static final String PARTITION = "dead-partition";
  static final String OFFSET = "dead-offset";
  static final String TIMESTAMP = "dead-timestamp";

  private static final int MAX_REASON = 1_000;
  private static final int MAX_STACK = 4_000;

  // The original was as large as its topic allows; the headers come on top.
  private static final int MAX_MESSAGE = 16 * 1024 * 1024;

  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private final KafkaPublisher publisher;
  private final InstantSource clock;

  DeadRecordPublisher(KafkaPublisher publisher, InstantSource clock) {
    this.publisher = publisher;
    this.clock = clock;
  }

  /// Where the dead letters of a topic are.
  public static String topic(String topic) {
    return topic + ".dead";
  }

  /// That topic as it should be: kept until somebody deletes it.
  static TopicProvisioner.Wanted wanted(String topic) {
    return new TopicProvisioner.Wanted(
        topic(topic),
        1,
        Duration.ofMillis(-1),
        Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(MAX_MESSAGE)));
  }

  /// Returns when the broker has it.
  void publish(KafkaRecord record, int attempts, HeldRecord.Burial burial) {
    publisher.publish(letter(record, attempts, burial));
  }

  private OutgoingRecord letter(KafkaRecord record, int attempts, HeldRecord.Burial burial) {
    // One that was redriven and died again tells of its last death only.
    var headers =
        new ArrayList<>(
            record.headers().stream().filter(h -> !h.name().startsWith(PREFIX)).toList());
    headers.addAll(
        List.of(
            KafkaHeader.of(REASON, cut(burial.reason(), MAX_REASON)),
            KafkaHeader.of(ATTEMPTS, String.valueOf(attempts)),
            KafkaHeader.of(TOPIC, record.topic()),
            KafkaHeader.of(PARTITION, String.valueOf(record.partition())),
            KafkaHeader.of(OFFSET, String.valueOf(record.offset())),
            KafkaHeader.of(TIMESTAMP, String.valueOf(record.timestamp())),
            KafkaHeader.of("dead-at", MILLIS.format(clock.instant()))));
    var cause = burial.cause();
    if (cause != null) headers.add(KafkaHeader.of("dead-stack", cut(stack(cause), MAX_STACK)));
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
