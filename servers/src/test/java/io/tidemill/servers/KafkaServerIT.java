package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.Test;

final class KafkaServerIT extends LocalServerContract {

  private static final TopicPartition KEPT = new TopicPartition("kept", 0);

  @Override
  String name() {
    return "kafka";
  }

  @Override
  LocalServer serverOn(Path dir, int port) {
    return new KafkaServer(dir, port);
  }

  @Test
  void createsNoTopicThatNobodyAskedFor() throws Exception {
    try (var producer = new KafkaProducer<String, String>(producing(server.address()))) {
      assertThatThrownBy(() -> producer.send(new ProducerRecord<>("unasked", "x")).get());
    }
    try (var admin = admin(server.address())) {
      assertThat(admin.listTopics().names().get()).doesNotContain("unasked");
    }
  }

  @Test
  void remembersCommittedOffsetsAcrossARestart() throws Exception {
    try (var client = connect(server.address());
        var consumer = consumer(server.address(), "readers")) {
      client.write("read");
      consumer.commitSync(Map.of(KEPT, new OffsetAndMetadata(1)));
    }

    server.close();
    server.start();

    try (var consumer = consumer(server.address(), "readers")) {
      assertThat(consumer.committed(Set.of(KEPT))).containsEntry(KEPT, new OffsetAndMetadata(1));
    }
  }

  @Test
  void doesNotTakeTheJvmWithItWhenAFaultIsFatal() {
    Exit.halt(1, "a fault for the test");
    Exit.exit(1, "a fault for the test");

    assertThat(server.port()).isPositive(); // still here
  }

  @Override
  Client connect(String address) throws Exception {
    try (var admin = admin(address)) {
      admin.createTopics(List.of(new NewTopic(KEPT.topic(), 1, (short) 1))).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) throw e;
    }
    return new KafkaClient(address, new KafkaProducer<>(producing(address)));
  }

  private record KafkaClient(String address, KafkaProducer<String, String> producer)
      implements Client {

    @Override
    public void write(String item) throws Exception {
      producer.send(new ProducerRecord<>(KEPT.topic(), item)).get();
    }

    @Override
    public Set<String> read() {
      var items = new HashSet<String>();
      try (var consumer = consumer(address, "test")) {
        consumer.assign(Set.of(KEPT));
        consumer.seekToBeginning(Set.of(KEPT));
        long end = consumer.endOffsets(Set.of(KEPT)).getOrDefault(KEPT, 0L);
        while (consumer.position(KEPT) < end) {
          consumer.poll(Duration.ofMillis(100)).forEach(each -> items.add(each.value()));
        }
      }
      return items;
    }

    @Override
    public void close() {
      producer.close(Duration.ZERO);
    }
  }

  private static Admin admin(String address) {
    return Admin.create(Map.of("bootstrap.servers", address));
  }

  private static KafkaConsumer<String, String> consumer(String address, String group) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            address,
            "group.id",
            group,
            "enable.auto.commit",
            "false",
            "key.deserializer",
            StringDeserializer.class,
            "value.deserializer",
            StringDeserializer.class));
  }

  private static Map<String, Object> producing(String address) {
    return new HashMap<>(
        Map.of(
            "bootstrap.servers", address,
            "acks", "all",
            "linger.ms", "0",
            "max.block.ms", "5000",
            "request.timeout.ms", "4500",
            "delivery.timeout.ms", "5000",
            "key.serializer", StringSerializer.class,
            "value.serializer", StringSerializer.class));
  }
}
