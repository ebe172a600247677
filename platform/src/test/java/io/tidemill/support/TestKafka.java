package io.tidemill.support;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.kafka.consumer.RecordHandler;
import io.tidemill.servers.KafkaServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// A real Kafka broker of this test's own, and consumers that end with it.
public final class TestKafka implements AutoCloseable {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final Path folder;
  private final KafkaServer server;
  private final KafkaConfig config;
  private final KafkaPublisher publisher;
  private final Deque<KeyedConsumer> consumers = new ArrayDeque<>();

  public TestKafka() {
    try {
      folder = Files.createTempDirectory("tidemill-kafka");
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
    server = new KafkaServer(folder, 0);
    server.start();
    config = new KafkaConfig(server.address(), 1);
    publisher = new KafkaPublisher(config, "test");
  }

  /// The one that tests share which leave the broker alone; it ends with the JVM.
  public static TestKafka shared() {
    return Shared.KAFKA;
  }

  private static final class Shared {
    static final TestKafka KAFKA = new TestKafka();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(KAFKA::close));
    }
  }

  public KafkaConfig config() {
    return config;
  }

  public KafkaPublisher publisher() {
    return publisher;
  }

  /// Stops the broker; its data stays.
  public void stopBroker() {
    server.close();
  }

  public void startBroker() {
    server.start();
  }

  /// Makes a topic with a name of its own.
  public String topic(int partitions) {
    var name = "topic-" + NAMES.incrementAndGet();
    try (var topics = new TopicProvisioner(config)) {
      topics.provision(List.of(new TopicProvisioner.Wanted(name, partitions, Duration.ofDays(1))));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return name;
  }

  /// Settings for short tests: commits and retries come soon.
  public static KeyedSettings settings(String group, String... topics) {
    return new KeyedSettings(group, List.of(topics))
        .withRetries(
            new KeyedSettings.Retries(
                3, new io.tidemill.work.Backoff(Duration.ofMillis(20), Duration.ofMillis(100))))
        .withMembership(
            new KeyedSettings.Membership(
                Duration.ofSeconds(6),
                Duration.ofMillis(300),
                Duration.ofMinutes(5),
                Duration.ofMillis(100)));
  }

  public KeyedConsumer consume(KeyedSettings settings, RecordHandler handler) {
    return consume(settings, handler, new SimpleMeterRegistry());
  }

  public KeyedConsumer consume(
      KeyedSettings settings, RecordHandler handler, MeterRegistry metrics) {
    var consumer =
        new KeyedConsumer(config, settings, handler, publisher, InstantSource.system(), metrics);
    consumers.push(consumer);
    consumer.start();
    return consumer;
  }

  public void publish(String topic, String key, String value, KafkaHeader... headers) {
    publisher.publish(record(topic, key, value, headers));
  }

  /// Publishes `n` values for each of the keys `k0`, `k1`…: `0`, `1`… one after the other.
  public void publishAll(String topic, int keys, int n) {
    var answers =
        IntStream.range(0, keys * n)
            .mapToObj(i -> publisher.send(record(topic, "k" + i % keys, String.valueOf(i / keys))))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(answers).join();
  }

  private static OutgoingRecord record(
      String topic, String key, String value, KafkaHeader... headers) {
    return new OutgoingRecord(topic, bytes(key), List.of(headers), bytes(value));
  }

  public static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  public static String key(KafkaRecord record) {
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  public static String value(KafkaRecord record) {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  /// Stops the consumers of one test.
  public void stopConsumers() {
    while (!consumers.isEmpty()) consumers.pop().stop();
  }

  @Override
  public void close() {
    stopConsumers();
    publisher.close();
    server.close();
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | UncheckedIOException busy) {
      folder.toFile().deleteOnExit(); // a broker that is slow to stop still tidies up
    }
  }
}
