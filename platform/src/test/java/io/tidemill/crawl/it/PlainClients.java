package io.tidemill.crawl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.tidemill.support.CrawlPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Kafka and AMQP as somebody uses them who has never heard of us.
final class PlainClients implements AutoCloseable {
  private final String bootstrap;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Connection connection;
  private final Channel channel;

  PlainClients(CrawlPlatform platform) throws Exception {
    bootstrap = platform.kafka().address();
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    var factory = new ConnectionFactory();
    factory.setUri(platform.amqp().address());
    connection = factory.newConnection();
    channel = connection.createChannel();
  }

  Channel amqp() {
    return channel;
  }

  /// A request as any gateway may write it; returns its id.
  String request(String value, Map<String, String> headers) throws Exception {
    var id = UUID.randomUUID().toString();
    var record = new ProducerRecord<>("crawl-requests", id.getBytes(UTF_8), value.getBytes(UTF_8));
    headers.forEach((name, text) ->
        record.headers().add(name, (text.equals("ID") ? id : text).getBytes(UTF_8)));
    producer.send(record).get();
    return id;
  }

  /// Everything that lies in a topic and has this key.
  List<ConsumerRecord<byte[], byte[]>> records(String topic, String key) {
    return records(topic).stream().filter(record -> key.equals(key(record))).toList();
  }

  /// The key as text; empty when there is none.
  static String key(ConsumerRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : new String(record.key(), UTF_8);
  }

  /// Everything that lies in a topic.
  List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    try (var consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      var partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions);
      var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
      while (partitions.stream().anyMatch(part -> consumer.position(part) < ends.get(part))) {
        consumer.poll(Duration.ofMillis(100)).forEach(found::add);
      }
      return found;
    }
  }

  List<ConsumerRecord<byte[], byte[]>> awaitRecords(String topic, String key) {
    return await()
        .ignoreExceptions() // the topic is made with its first record
        .until(() -> records(topic, key), found -> !found.isEmpty());
  }

  /// The next message of a queue.
  GetResponse awaitMessage(String queue) {
    return await().until(() -> channel.basicGet(queue, true), message -> message != null);
  }

  @Override
  public void close() {
    producer.close();
    connection.abort(); // its server may be gone already
  }
}
