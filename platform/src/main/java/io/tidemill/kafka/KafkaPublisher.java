package io.tidemill.kafka;

import static java.util.Objects.requireNonNull;

import io.tidemill.config.Renaming;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Publishes records, each confirmed by every broker that must have it, or refused in bounded time
/// (F06).
///
/// Many threads may publish at once: their records travel together. A record whose publishing
/// failed by time-out may still arrive; readers tell by its key.
public final class KafkaPublisher implements AutoCloseable {
  // Together below the time a client waits for its answer.
  private static final Duration METADATA_LIMIT = Duration.ofSeconds(3);
  private static final Duration DELIVERY_LIMIT = Duration.ofSeconds(7);

  // The broker's own limits decide; this one only keeps a single record from filling the buffer.
  private static final int MAX_REQUEST_BYTES = 16 * 1024 * 1024;

  // Kafka complains when one process uses a client's name twice.
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final KafkaConfig config;
  private final Renaming topics;
  private final String clientId;
  private final Duration metadataLimit;
  private final Duration deliveryLimit;
  private volatile @Nullable Producer<byte[], byte[]> producer;
  private boolean closed;

  /// @param clientId the name under which the broker sees this publisher
  public KafkaPublisher(KafkaConfig config, String clientId) {
    this(config, clientId, METADATA_LIMIT, DELIVERY_LIMIT);
  }

  /// @param metadataLimit how long to look for the topic
  /// @param deliveryLimit how long to wait for the broker's confirmation
  public KafkaPublisher(
      KafkaConfig config, String clientId, Duration metadataLimit, Duration deliveryLimit) {
    this.config = config;
    topics = config.topicNames();
    this.clientId = clientId;
    this.metadataLimit = metadataLimit;
    this.deliveryLimit = deliveryLimit;
  }

  /// Returns when the broker has the record; throws when it has refused it or stayed silent.
  public PublishedRecord publish(OutgoingRecord record) {
    try {
      return published(sent(record, null).get());
    } catch (ExecutionException failed) {
      throw failure(record, requireNonNull(failed.getCause()));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw failure(record, stopped);
    }
  }

  /// Completes when the broker has the record, or with a [KafkaException].
  ///
  /// What is chained to it without an executor runs on the one thread that sends: keep it short.
  public CompletableFuture<PublishedRecord> send(OutgoingRecord record) {
    var answer = new CompletableFuture<PublishedRecord>();
    try {
      var _ =
          sent(
              record,
              (metadata, failed) -> {
                if (failed == null) answer.complete(published(metadata));
                else answer.completeExceptionally(failure(record, failed));
              });
    } catch (KafkaException refused) {
      answer.completeExceptionally(refused);
    }
    return answer;
  }

  private Future<RecordMetadata> sent(OutgoingRecord record, @Nullable Callback whenDone) {
    try {
      return producer().send(wire(record), whenDone);
    } catch (InterruptException stopped) {
      Thread.currentThread().interrupt();
      throw failure(record, stopped);
    } catch (org.apache.kafka.common.KafkaException | IllegalStateException refused) {
      throw failure(record, refused);
    }
  }

  @SuppressWarnings("NullAway") // Kafka takes null for key, value, time, partition and callback
  private ProducerRecord<byte[], byte[]> wire(OutgoingRecord record) {
    var time = record.at() == null ? null : record.at().toEpochMilli();
    var wire =
        new ProducerRecord<>(
            topics.name(record.topic()), record.partition(), time, record.key(), record.value());
    for (var header : record.headers()) wire.headers().add(header.name(), header.value());
    return wire;
  }

  private PublishedRecord published(RecordMetadata metadata) {
    var topic = topics.original(metadata.topic());
    return new PublishedRecord(topic, metadata.partition(), metadata.offset());
  }

  private static KafkaException failure(OutgoingRecord record, Throwable cause) {
    return new KafkaException(
        "a record for topic %s was not published: %s".formatted(record.topic(), said(cause)),
        cause);
  }

  private static String said(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  // On first use: a name that does not resolve yet must not keep a process from starting.
  private Producer<byte[], byte[]> producer() {
    var open = producer;
    return open == null ? open() : open;
  }

  private synchronized Producer<byte[], byte[]> open() {
    if (closed) throw new IllegalStateException("the publisher is closed");
    var open = producer;
    if (open == null) {
      open = new KafkaProducer<>(settings(), new ByteArraySerializer(), new ByteArraySerializer());
      producer = open;
    }
    return open;
  }

  private Map<String, Object> settings() {
    var requestLimit = deliveryLimit.toMillis() / 2;
    return Map.ofEntries(
        Map.entry(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrap()),
        Map.entry(ProducerConfig.CLIENT_ID_CONFIG, clientId + "-" + COUNT.incrementAndGet()),
        Map.entry(ProducerConfig.ACKS_CONFIG, "all"),
        Map.entry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true),
        Map.entry(ProducerConfig.LINGER_MS_CONFIG, 1),
        Map.entry(ProducerConfig.BATCH_SIZE_CONFIG, 64 * 1024),
        Map.entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES),
        Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, metadataLimit.toMillis()),
        Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) requestLimit),
        Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) deliveryLimit.toMillis()),
        Map.entry(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000),
        Map.entry(ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, ""),
        Map.entry(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false));
  }

  /// Waits for what is on its way, within the limits above.
  @Override
  public void close() {
    Producer<byte[], byte[]> open;
    synchronized (this) {
      closed = true;
      open = producer;
      producer = null;
    }
    if (open != null) open.close(deliveryLimit);
  }
}
