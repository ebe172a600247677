package io.tidemill.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConnectionFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.config.Settings;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.trace.SpanWriter;
import io.tidemill.trace.StoredSpan;
import io.tidemill.trace.TraceStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringSerializer;

/// Speaks to the servers as programs of others do: whatever a contract lets them write, they may.
final class BrokerAccess implements AutoCloseable {
  private final KafkaProducer<String, String> producer;
  private final List<Future<RecordMetadata>> sent = new ArrayList<>();
  private final String amqp;
  private final String redis;

  BrokerAccess(String kafka, String amqp, String redis) {
    this.amqp = amqp;
    this.redis = redis;
    Map<String, Object> config =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka, ProducerConfig.LINGER_MS_CONFIG, 5);
    producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
  }

  /// Sends a record; `flush` waits for all of them.
  void send(String topic, String key, String value, Map<String, String> headers) {
    var record = new ProducerRecord<>(topic, key, value);
    headers.forEach(
        (name, text) -> record.headers().add(new RecordHeader(name, text.getBytes(UTF_8))));
    sent.add(producer.send(record));
  }

  void flush() {
    producer.flush();
    for (var each : sent) assertThat(each.resultNow().hasOffset()).isTrue();
    sent.clear();
  }

  /// Puts a message into a queue.
  void publish(String queue, String body, List<String> headers) throws Exception {
    var factory = new ConnectionFactory();
    factory.setUri(amqp);
    var named = new TreeMap<String, Object>();
    for (int i = 0; i < headers.size(); i++) named.put("header-" + i, headers.get(i));
    try (var connection = factory.newConnection();
        var channel = connection.createChannel()) {
      channel.confirmSelect();
      channel.basicPublish(
          "", queue, new BasicProperties.Builder().headers(named).build(), body.getBytes(UTF_8));
      channel.waitForConfirmsOrDie();
    }
  }

  /// Keeps spans as a process of another would.
  void keep(List<StoredSpan> spans) {
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("redis.url", redis),
            List.of(RedisConfig.class, ObserveConfig.class));
    try (var connections = new Redis(settings.section(RedisConfig.class))) {
      var traces =
          new TraceStore(
              connections, settings.section(ObserveConfig.class), InstantSource.system());
      var store = new SpanWriter(traces, "elsewhere:1", new SimpleMeterRegistry());
      store.start();
      spans.forEach(store::accept);
      store.stop();
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
