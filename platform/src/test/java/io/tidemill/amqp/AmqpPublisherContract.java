package io.tidemill.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.support.AmqpBroker;
import io.tidemill.support.FaultProxy;
import io.tidemill.support.ForeignProgram;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a publisher promises, whichever broker it talks to.
abstract class AmqpPublisherContract {
  private static final String QUEUE = "published";

  abstract AmqpBroker broker();

  private ForeignProgram stranger;
  private AmqpPublisher publisher;

  @BeforeEach
  void connect() throws Exception {
    stranger = new ForeignProgram(broker().port());
    stranger.queue(QUEUE);
    publisher = publisher(broker().config());
  }

  @AfterEach
  void disconnect() {
    if (stranger == null) return; // there is no broker
    publisher.close();
    stranger.close();
  }

  @Test
  void everyPublishedMessageIsInTheQueue() throws Exception { // C4.1, F34
    publishAll(publisher, 1_000);

    assertThat(stranger.bodies(QUEUE)).hasSize(1_000).doesNotHaveDuplicates();
  }

  @Test
  void messagesArePersistentAndSayWhatTheyAre() throws Exception { // C4.1
    publisher.publish(
        new OutgoingMessage(
            "",
            QUEUE,
            "{}".getBytes(UTF_8),
            Map.of("text", "ä", "bytes", new byte[] {1, -1}),
            "id-1",
            "application/json",
            Instant.parse("2026-01-04T01:09:27.900Z")));

    var properties = stranger.drain(QUEUE).getFirst().getProperties();
    assertThat(properties.getDeliveryMode()).isEqualTo(2);
    assertThat(properties.getContentType()).isEqualTo("application/json");
    assertThat(properties.getMessageId()).isEqualTo("id-1");
    assertThat(properties.getTimestamp().toInstant()).isEqualTo("2026-01-04T01:09:27Z");
    assertThat(properties.getHeaders().get("text")).hasToString("ä");
    assertThat(properties.getHeaders().get("bytes")).isEqualTo(new byte[] {1, -1});
  }

  @Test
  void saysWhenNoQueueTakesTheMessage() throws Exception { // F35
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> publisher.publish(message("no-such-queue", "lost")))
          .isInstanceOfSatisfying(
              AmqpException.class, refused -> assertThat(refused.isUnroutable()).isTrue())
          .hasMessageContaining("no-such-queue");
      publisher.publish(message(QUEUE, "kept" + i));
    }

    assertThat(stranger.bodies(QUEUE)).containsExactly("kept0", "kept1", "kept2");
  }

  @Test
  void tellsTheUnroutableFromTheOthers() throws Exception { // F35
    var good = new ArrayList<CompletableFuture<Void>>();
    var bad = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < 200; i++) {
      good.add(publisher.send(message(QUEUE, "good" + i)));
      if (i % 10 == 0) bad.add(publisher.send(message("no-such-queue", "bad" + i)));
    }

    for (var sent : good) sent.get(10, TimeUnit.SECONDS);
    for (var sent : bad) {
      assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              AmqpException.class, refused -> assertThat(refused.isUnroutable()).isTrue());
    }
    assertThat(stranger.depth(QUEUE)).isEqualTo(200);
  }

  @Test
  void anExchangeThatIsNotThereHarmsOnlyItsOwnMessages() throws Exception { // F35
    var wrong =
        new OutgoingMessage("no-such-exchange", "x", new byte[0], Map.of(), null, null, null);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var harmless = publishing(publisher, 200, threads);
      assertThatThrownBy(() -> publisher.publish(wrong)).isInstanceOf(AmqpException.class);
      for (var one : harmless) one.get();
    }

    assertThat(Set.copyOf(stranger.bodies(QUEUE))).hasSize(200);
  }

  @Test
  void refusesHeadersThatNoFrameHolds() throws Exception {
    var huge =
        new OutgoingMessage(
            "", QUEUE, new byte[0], Map.of("x", "y".repeat(200_000)), null, null, null);

    assertThatThrownBy(() -> publisher.publish(huge)).hasMessageContaining("too large");

    publisher.publish(message(QUEUE, "next"));
    assertThat(stranger.bodies(QUEUE)).containsExactly("next");
  }

  @Test
  void aBrokerThatIsKilledLosesNothingThatWasConfirmed() throws Exception { // F34
    var confirmed = ConcurrentHashMap.<String>newKeySet();
    var failed = ConcurrentHashMap.<String>newKeySet();
    var sent = new ArrayList<CompletableFuture<Void>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var patient = List.<Future<?>>of();
      var back = CompletableFuture.<Void>completedFuture(null);
      for (int i = 0; i < 3_000; i++) {
        var name = "sent" + i;
        sent.add(
            publisher
                .send(message(QUEUE, name))
                .whenComplete((_, error) -> (error == null ? confirmed : failed).add(name)));
        if (i != 1_500) continue;
        patient = publishing(publisher, 500, threads);
        broker().kill(); // about a thousand are without an answer
        back = CompletableFuture.runAsync(broker()::restart);
      }
      back.get();
      for (var one : patient) one.get(); // these tried again until it was there
    }
    await().until(() -> sent.stream().allMatch(Future::isDone));

    assertThat(confirmed).hasSizeGreaterThan(100);
    assertThat(failed).isNotEmpty();
    stranger.close();
    stranger = new ForeignProgram(broker().port());
    var there = Set.copyOf(stranger.bodies(QUEUE));
    assertThat(there).containsAll(confirmed);
    assertThat(there).filteredOn(name -> name.startsWith("m")).hasSize(500);
  }

  @Test
  void aConnectionThatIsCutAgainAndAgainLosesNothing() throws Exception { // F34, F43
    try (var proxy = new FaultProxy(broker().port());
        var shaky = publisher(broker().config(proxy.port()));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = publishing(shaky, 2_000, threads);
      for (int cuts = 1; cuts <= 5; cuts++) {
        var some = 300L * cuts;
        await().until(() -> all.stream().filter(Future::isDone).count() >= some);
        proxy.resetAll();
      }
      for (var one : all) one.get();
    }

    assertThat(Set.copyOf(stranger.bodies(QUEUE))).hasSize(2_000);
  }

  @Test
  void aSilentBrokerIsAnErrorInTime() throws Exception { // F34
    try (var proxy = new FaultProxy(broker().port());
        var deaf = publisher(broker().config(proxy.port(), Duration.ofSeconds(1)))) {
      await().ignoreExceptions().untilAsserted(() -> deaf.publish(message(QUEUE, "first")));
      proxy.breakWith((_, fromClient, _) -> fromClient); // no answer comes back

      var began = System.nanoTime();
      assertThatThrownBy(() -> deaf.publish(message(QUEUE, "second")))
          .isInstanceOf(AmqpException.class)
          .hasMessageContaining("in time");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));

      proxy.breakWith(FaultProxy.NONE);
      proxy.resetAll();
      await().ignoreExceptions().untilAsserted(() -> deaf.publish(message(QUEUE, "third")));
      await().until(deaf::isHealthy);
    }
  }

  @Test
  void withoutABrokerPublishingFailsInTimeAndSaysWhy() throws Exception {
    try (var lonely = publisher(broker().config(1, Duration.ofMillis(300)))) {
      await()
          .untilAsserted(() -> assertThatThrownBy(lonely::check).hasMessageContaining("refused"));
      assertThatThrownBy(() -> lonely.publish(message(QUEUE, "x")))
          .isInstanceOf(AmqpException.class)
          .hasMessageContaining("refused");
      assertThatThrownBy(lonely::check).hasMessageContaining("refused");
    }
  }

  @Test
  void aClosedPublisherTakesNothing() {
    publisher.close();

    assertThatThrownBy(() -> publisher.publish(message(QUEUE, "x"))).hasMessageContaining("closed");
  }

  static AmqpPublisher publisher(AmqpConfig config) {
    return new AmqpPublisher(config, new SimpleMeterRegistry());
  }

  static OutgoingMessage message(String queue, String body) {
    return new OutgoingMessage("", queue, body.getBytes(UTF_8), Map.of(), null, "text/plain", null);
  }

  private static void publishAll(AmqpPublisher publisher, int count) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var one : publishing(publisher, count, threads)) one.get();
    }
  }

  private static List<Future<?>> publishing(
      AmqpPublisher publisher, int count, ExecutorService threads) {
    var all = new ArrayList<Future<?>>();
    for (int i = 0; i < count; i++) {
      var message = message(QUEUE, "m" + i);
      all.add(threads.submit(() -> publisher.publish(message)));
    }
    return all;
  }
}
