package io.tidemill.amqp.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.amqp.Topology;
import io.tidemill.amqp.inspect.DeadQueueReader;
import io.tidemill.amqp.inspect.QueueInspector;
import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.config.ByteSize;
import io.tidemill.support.AmqpBroker;
import io.tidemill.support.FaultProxy;
import io.tidemill.support.ForeignProgram;
import io.tidemill.work.Backoff;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a consumer promises, whichever broker it talks to.
abstract class ConsumerContract {
  private static final String QUEUE = "consumed";
  private static final String DEAD = "consumed.dead";
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");

  abstract AmqpBroker broker();

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Integer> calls = new ConcurrentLinkedQueue<>();
  private final List<MessageConsumer> consumers = new ArrayList<>();
  private ForeignProgram stranger;
  private AmqpPublisher publisher;

  @BeforeEach
  void connect() throws Exception {
    stranger = new ForeignProgram(broker().port());
    stranger.queue(QUEUE);
    stranger.queue(DEAD);
    publisher = new AmqpPublisher(broker().config(), metrics);
  }

  @AfterEach
  void disconnect() {
    if (stranger == null) return; // there is no broker
    consumers.forEach(MessageConsumer::stop);
    publisher.close();
    stranger.close();
  }

  // Batches

  @Test
  void handsABacklogOverInBatchesAndAcknowledgesIt() throws Exception { // C4.6, F41
    fill(1_000);

    var consumer = consume(plan(), (batch, _) -> acknowledge(batch));

    await().until(() -> handled.size() >= 1_000);
    awaitEmpty();
    assertThat(handled).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(calls).allMatch(size -> size <= 100).hasSizeLessThan(200);
    await().until(consumer::isHealthy);
    assertThat(consumer.check()).isEqualTo("connected since " + NOW);
  }

  @Test
  void usesTheNamesThatQueuesAndExchangesHaveOnTheBroker() throws Exception { // G6
    var names = List.of("contract=acme." + QUEUE);
    var config = broker().config().withNames(names, List.of("events=acme.events"));
    var real = stranger.queue("acme." + QUEUE);
    stranger.queue(real + ".dead");
    try (var topology = new Topology(config);
        var renamed = new AmqpPublisher(config, new SimpleMeterRegistry());
        var inspector = new QueueInspector(config);
        var letters = new DeadQueueReader(config, "contract.dead", Set.of("contract"), renamed)) {
      topology.provision(
          List.of("contract.dead"), List.of(new Topology.Bound("events", "contract", "k")));
      renamed.publish(message("events", "k", "by exchange"));
      renamed.publish(message("", "contract", "dead"));
      assertThat(stranger.depth(real)).isEqualTo(2);
      assertThat(inspector.depth("contract").orElseThrow().messages()).isEqualTo(2);
      assertThat(inspector.oldest("contract", 10).messages()).hasSize(2);
      var plan = MessagePlan.batches("contract", "contract.dead");
      var consumer =
          new MessageConsumer(
              config, plan, (batch, _) -> bury(batch), renamed, InstantSource.fixed(NOW), metrics);
      consumers.add(consumer);
      consumer.start();

      await().until(() -> letters.count() == 1);
      await().until(() -> handled.contains("by exchange"));
      consumer.stop();

      var letter = letters.newest(DeadQueueReader.MOST_SEEN, 1).letters().getFirst();
      assertThat(letter.origin()).isEqualTo("contract");
      assertThat(letters.redrive(letter.id(), () -> {}))
          .contains(new DeadQueueReader.Redrive.Moved("contract", true));
      assertThat(stranger.bodies(real)).containsExactly("dead");
      assertThat(inspector.depth("acme.events")).isEmpty();
    }
    try (var inspector = new QueueInspector(broker().config())) {
      assertThat(inspector.depth("contract")).isEmpty();
      assertThat(inspector.depth("contract.dead")).isEmpty();
    }
  }

  private List<Settlement> bury(List<AmqpDelivery> batch) {
    return batch.stream()
        .<Settlement>map(delivery -> {
          if (text(delivery).equals("dead")) return new Settlement.DeadLetter("it says so");
          handled.add(text(delivery));
          return Settlement.DONE;
        })
        .toList();
  }

  private static OutgoingMessage message(String exchange, String key, String body) {
    return new OutgoingMessage(exchange, key, body.getBytes(UTF_8), Map.of(), null, null, null);
  }

  @Test
  void aSingleMessageDoesNotWaitForOthers() throws Exception {
    consume(lingering(Duration.ofMinutes(1)), (batch, _) -> acknowledge(batch));
    await().until(() -> stranger.channel().consumerCount(QUEUE) == 1);

    var began = System.nanoTime();
    stranger.publish(QUEUE, "one");
    await().pollInterval(Duration.ofMillis(5)).until(() -> handled.contains("one"));

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
    awaitEmpty();
  }

  @Test
  void aTrickleWaitsNoLongerThanItMay() throws Exception {
    consume(lingering(Duration.ofMillis(100)), (batch, _) -> acknowledge(batch));
    await().until(() -> stranger.channel().consumerCount(QUEUE) == 1);
    for (int i = 0; i < 60; i++) {
      stranger.publish(QUEUE, "m" + i);
      Thread.sleep(5); // less than a pause, so that only the time limit ends a batch
    }

    await().until(() -> handled.size() >= 60);
    awaitEmpty();
    assertThat(calls).hasSizeGreaterThan(1);
  }

  @Test
  void deliversEverythingThatAMessageCarries() throws Exception {
    var seen = new ConcurrentLinkedQueue<AmqpDelivery>();
    stranger.publish(
        QUEUE,
        new byte[] {0, -1},
        new BasicProperties.Builder()
            .messageId("id")
            .contentType("x/y")
            .timestamp(java.util.Date.from(NOW))
            .headers(Map.of("s", "ü", "b", new byte[] {7}, "n", 5, "l", List.of("a")))
            .build());

    consume(
        plan(),
        (batch, _) -> {
          seen.addAll(batch);
          return acknowledge(batch);
        });

    await().until(() -> !seen.isEmpty());
    awaitEmpty();
    var delivery = seen.element();
    assertThat(delivery.body()).containsExactly(0, -1);
    assertThat(delivery.messageId()).isEqualTo("id");
    assertThat(delivery.contentType()).isEqualTo("x/y");
    assertThat(delivery.timestamp()).isEqualTo(NOW);
    assertThat(delivery.headers()).containsEntry("s", "ü").containsEntry("n", 5);
    assertThat(delivery.headers().get("b")).isEqualTo(new byte[] {7});
    assertThat(delivery.headers().get("l")).isEqualTo(List.of("a"));
    assertThat(delivery.redelivered()).isFalse();
    assertThat(delivery.attempt()).isEqualTo(1);
  }

  // Failures

  @Test
  void whatFailsAsAWholeIsTriedAgainWithoutAHotLoop() throws Exception { // F39
    var down = new AtomicBoolean(true);
    var tries = new AtomicLong();
    fill(300);

    var consumer =
        consume(
            plan(),
            (batch, _) -> {
              tries.incrementAndGet();
              if (down.get()) return retry(batch);
              return acknowledge(batch);
            });
    await()
        .untilAsserted(
            () -> assertThatThrownBy(consumer::check).hasMessageContaining("the store is down"));
    var before = tries.get();
    await().during(Duration.ofSeconds(1)).until(() -> tries.get() - before < 300);
    down.set(false);

    await().until(() -> handled.size() >= 300);
    awaitEmpty();
    assertThat(handled).hasSize(300).doesNotHaveDuplicates();
    assertThat(stranger.depth(DEAD)).isZero();
    await().until(consumer::isHealthy);
  }

  @Test
  void oneBadMessageDoesNotHoldUpTheOthers() throws Exception { // F39, C4.6
    var deliveries = new AtomicLong();
    fill(400);
    stranger.publish(QUEUE, "poison");
    fill(100);

    consume(
        plan(),
        (batch, _) -> {
          for (var delivery : batch) {
            if (!text(delivery).equals("poison")) continue;
            deliveries.incrementAndGet();
            throw new IllegalStateException("can't stand it");
          }
          return acknowledge(batch);
        });

    awaitEmpty();
    await().until(() -> stranger.depth(DEAD) == 1);
    assertThat(handled).hasSize(500);
    assertThat(deliveries.get()).isLessThan(60);
    var letter = stranger.drain(DEAD).getFirst();
    assertThat(new String(letter.getBody(), UTF_8)).isEqualTo("poison");
    assertThat(letter.getProperties().getHeaders().get("tidemill-reason"))
        .asString()
        .contains("can't stand it");
  }

  @Test
  void aBadMessageThatIsAloneEndsAmongTheDead() throws Exception { // F39
    stranger.publish(QUEUE, "poison");
    var tries = new AtomicLong();

    var consumer =
        consume(
            plan(),
            (batch, _) -> {
              tries.incrementAndGet();
              throw new StackOverflowError("deep");
            });

    await().until(() -> stranger.depth(DEAD) == 1);
    awaitEmpty();
    assertThat(tries.get()).isEqualTo(3);
    await().until(consumer::isHealthy);
  }

  @Test
  void aMessageThatIsTriedAgainAndAgainWhileOthersGetThroughEndsAmongTheDead()
      throws Exception { // F39
    stranger.publish(QUEUE, "never");
    var tries = new AtomicLong();
    consume(
        plan(),
        (batch, _) -> {
          var answers = new ArrayList<Settlement>();
          for (var delivery : batch) {
            var never = text(delivery).equals("never");
            if (never) tries.incrementAndGet();
            answers.add(never ? new Settlement.Defer("not yet") : Settlement.DONE);
          }
          return answers;
        });
    await().until(() -> tries.get() >= 4); // alone it may wait for ever

    await()
        .until(() -> {
          stranger.publish(QUEUE, "other");
          return stranger.depth(DEAD) == 1;
        });

    awaitEmpty();
    assertThat(stranger.bodies(DEAD)).containsExactly("never");
  }

  @Test
  void deadLettersKeepTheirBytesAndHeaders() throws Exception { // G3, F40
    var body = new byte[] {0, 1, -1, (byte) 0xC3};
    stranger.publish(
        QUEUE,
        body,
        new BasicProperties.Builder()
            .messageId("id")
            .contentType("x/y")
            .headers(Map.of("theirs", "kept", "CC", List.of(QUEUE)))
            .build());

    consume(
        plan(),
        (batch, _) ->
            batch.stream().<Settlement>map(_ -> new Settlement.DeadLetter("no page")).toList());

    await().until(() -> stranger.depth(DEAD) >= 1);
    awaitEmpty();
    var letter = stranger.drain(DEAD).getFirst();
    var properties = letter.getProperties();
    assertThat(letter.getBody()).isEqualTo(body);
    assertThat(properties.getMessageId()).isEqualTo("id");
    assertThat(properties.getContentType()).isEqualTo("x/y");
    assertThat(properties.getDeliveryMode()).isEqualTo(2);
    assertThat(properties.getHeaders().get("theirs")).hasToString("kept");
    assertThat(properties.getHeaders().get("tidemill-origin")).hasToString(QUEUE);
    assertThat(properties.getHeaders().get("tidemill-reason")).hasToString("no page");
    assertThat(properties.getHeaders().get("tidemill-attempts")).isEqualTo(1);
    assertThat(properties.getHeaders().get("tidemill-died-at"))
        .hasToString("2026-01-04T01:09:27.000Z");
  }

  @Test
  void aMissingQueueForDeadLettersIsMadeAndNothingIsLost() throws Exception { // F40
    var consumer =
        consume(
            plan(),
            (batch, _) ->
                batch.stream().<Settlement>map(_ -> new Settlement.DeadLetter("bad")).toList());
    await().until(consumer::isHealthy);
    stranger.channel().queueDelete(DEAD);

    fill(5);

    await()
        .ignoreExceptions()
        .until(() -> {
          try (var other = new ForeignProgram(broker().port())) {
            return other.depth(DEAD) == 5;
          }
        });
    awaitEmpty();
  }

  @Test
  void whatCanNotBeSettledGoesBackToTheQueueInTime() throws Exception { // F42
    var again = new AtomicLong();
    stranger.publish(QUEUE, "stubborn");
    var impatient =
        new MessagePlan(
            QUEUE,
            DEAD,
            new MessagePlan.Batch(10, Duration.ofMillis(50), ByteSize.ofMib(1)),
            3,
            new Backoff(Duration.ofMillis(20), Duration.ofMillis(50)),
            new MessagePlan.Held(Duration.ofMillis(300)));

    consume(
        impatient,
        (batch, _) -> {
          if (batch.getFirst().redelivered()) again.incrementAndGet();
          return retry(batch);
        });

    await().until(() -> again.get() > 0);
    assertThat(stranger.depth(DEAD)).isZero();
  }

  // Connections

  @Test
  void aConnectionThatIsCutAgainAndAgainLosesNothing() throws Exception { // F43
    fill(3_000);
    try (var proxy = new FaultProxy(broker().port())) {
      var consumer =
          new MessageConsumer(
              broker().config(proxy.port()),
              plan(),
              (batch, _) -> acknowledge(batch),
              publisher,
              InstantSource.fixed(NOW),
              metrics);
      consumers.add(consumer);
      consumer.start();
      for (int cuts = 1; cuts <= 5; cuts++) {
        var some = cuts * 400;
        await().pollInterval(Duration.ofMillis(2)).until(() -> handled.size() >= some);
        proxy.resetAll();
      }

      await().until(() -> handled.stream().distinct().count() == 3_000);
      awaitEmpty();
      consumer.stop();
    }
  }

  @Test
  void consumingGoesOnWhenTheBrokerIsBack() throws Exception { // F43
    fill(200);
    var consumer = consume(plan(), (batch, _) -> acknowledge(batch));
    awaitEmpty();

    broker().kill();
    try {
      await().until(() -> !consumer.isHealthy());
      assertThatThrownBy(consumer::check).isInstanceOf(AmqpException.class);
    } finally {
      broker().restart();
    }
    stranger.close();
    stranger = new ForeignProgram(broker().port());
    stranger.publish(QUEUE, "after");

    await().until(() -> handled.contains("after"));
    awaitEmpty();
  }

  @Test
  void holdsNoMoreThanItsBytes() throws Exception { // F41
    var big = new byte[1024 * 1024];
    for (int i = 0; i < 150; i++) stranger.publish(QUEUE, big, Map.of());
    stranger.confirm();
    var passed = new AtomicLong();
    var go = new CountDownLatch(1);
    var most = new AtomicLong();
    try (var proxy = new FaultProxy(broker().port())) {
      proxy.breakWith((_, fromClient, piece) -> {
        if (!fromClient) passed.addAndGet(piece.length);
        return true;
      });
      var plan =
          new MessagePlan(
              QUEUE,
              DEAD,
              new MessagePlan.Batch(100, Duration.ofMillis(200), ByteSize.ofMib(8)),
              3,
              new Backoff(Duration.ofMillis(20), Duration.ofMillis(50)),
              new MessagePlan.Held(Duration.ofMinutes(5)));
      var consumer =
          new MessageConsumer(
              broker().config(proxy.port()),
              plan,
              (batch, _) -> {
                most.accumulateAndGet(batch.size(), Math::max);
                awaitUninterruptibly(go);
                return acknowledge(batch);
              },
              publisher,
              InstantSource.fixed(NOW),
              metrics);
      consumer.start();
      consumers.add(consumer);
      await().until(() -> most.get() > 0);
      await().during(Duration.ofMillis(500)).until(() -> true);

      // The sockets on the way hold some of it too.
      assertThat(passed.get()).isLessThan(60L * 1024 * 1024);
      go.countDown();
      awaitEmpty();
      assertThat(most.get()).isLessThanOrEqualTo(5);
      consumer.stop();
    }
  }

  @Test
  void stoppingFinishesTheBatchAtHand() throws Exception {
    var inside = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    fill(50);
    var consumer =
        consume(
            plan(),
            (batch, _) -> {
              inside.countDown();
              awaitUninterruptibly(go);
              return acknowledge(batch);
            });
    inside.await();

    var stopping = Thread.ofVirtual().start(consumer::stop);
    go.countDown();
    stopping.join();

    assertThat(handled).isNotEmpty();
    await().until(() -> stranger.depth(QUEUE) == 50 - handled.size());
  }

  @Test
  void aBrokerThatIsNotThereYetIsWaitedFor() throws Exception {
    var consumer =
        new MessageConsumer(
            broker().config(1),
            plan(),
            (batch, _) -> acknowledge(batch),
            publisher,
            InstantSource.fixed(NOW),
            metrics);
    consumer.start();

    await()
        .untilAsserted(() -> assertThatThrownBy(consumer::check).hasMessageContaining("refused"));

    var began = System.nanoTime();
    consumer.stop();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(6));
  }

  @Test
  void depthsAreThereForTheAsking() throws Exception {
    fill(7);
    var info = new QueueMeters(broker().config(), List.of(QUEUE, "no-such-queue"), metrics);

    try (var inspector = new QueueInspector(broker().config())) {
      assertThat(inspector.depth(QUEUE)).contains(new QueueInspector.Depth(7, 0));
      assertThat(inspector.depth("no-such-queue")).isEmpty();
    }
    info.start();
    await().until(() -> metrics.get("amqp.queue.depth").tag("queue", QUEUE).gauge().value() == 7);
    info.stop();
  }

  private static boolean isKnown(QueueMeters info) {
    var found = info.queues().value();
    return found != null && found.containsKey(QUEUE);
  }

  @Test
  void aBrokerThatFallsSilentIsNoEmptyQueue() throws Exception {
    fill(7);
    try (var proxy = new FaultProxy(broker().port())) {
      var config = broker().config(proxy.port());
      var info = new QueueMeters(config, List.of(QUEUE), metrics, Duration.ofMillis(100));
      var topology = new Topology(config);
      topology.ping();
      info.start();
      await().until(() -> isKnown(info));
      assertThat(info.queues().problem()).isEmpty();

      proxy.breakWith((_, _, _) -> false);

      await().untilAsserted(() -> assertThat(info.queues().problem()).startsWith("no answer for"));
      proxy.breakWith(FaultProxy.NONE);
      proxy.resetAll();
      await().until(() -> isKnown(info));
      topology.ping();
      topology.close();
      info.stop();
    }
  }

  private MessagePlan plan() {
    return lingering(Duration.ofMillis(200));
  }

  private static MessagePlan lingering(Duration linger) {
    return new MessagePlan(
        QUEUE,
        DEAD,
        new MessagePlan.Batch(100, linger, ByteSize.ofMib(32)),
        3,
        new Backoff(Duration.ofMillis(20), Duration.ofMillis(100)),
        new MessagePlan.Held(Duration.ofMinutes(5)));
  }

  private MessageConsumer consume(MessagePlan plan, MessageHandler handler) {
    var consumer =
        new MessageConsumer(
            broker().config(), plan, handler, publisher, InstantSource.fixed(NOW), metrics);
    consumers.add(consumer);
    consumer.start();
    return consumer;
  }

  private List<Settlement> acknowledge(List<AmqpDelivery> batch) {
    calls.add(batch.size());
    batch.forEach(delivery -> handled.add(text(delivery)));
    return batch.stream().map(_ -> Settlement.DONE).toList();
  }

  private static List<Settlement> retry(List<AmqpDelivery> batch) {
    return batch.stream().<Settlement>map(_ -> new Settlement.Defer("the store is down")).toList();
  }

  private static String text(AmqpDelivery delivery) {
    return delivery.body().length > 1000 ? "big" : new String(delivery.body(), UTF_8);
  }

  private static int filled;

  private void fill(int count) throws Exception {
    for (int i = 0; i < count; i++) stranger.publish(QUEUE, "m" + filled++);
    stranger.confirm();
  }

  // Nothing is left, not even with the consumer.
  private void awaitEmpty() throws Exception {
    await()
        .until(() ->
            metrics.get("amqp.consumer.unsettled").gauges().stream()
                    .allMatch(gauge -> gauge.value() == 0)
                && stranger.depth(QUEUE) == 0);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
