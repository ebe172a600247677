package io.tidemill.amqp.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.amqp.consumer.DeadMessage;
import io.tidemill.amqp.consumer.DeadMessagePublisher;
import io.tidemill.amqp.inspect.DeadQueueReader.Redrive;
import io.tidemill.support.AmqpBroker;
import io.tidemill.support.FaultProxy;
import io.tidemill.support.ForeignProgram;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a queue of dead letters promises to those who look into it, whichever broker has it.
abstract class DeadQueueContract {
  private static final String QUEUE = "mourned";
  private static final String DEAD = "mourned.dead";
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");
  private static final String ACK = "003c0050"; // class and method of basic.ack

  abstract AmqpBroker broker();

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private ForeignProgram stranger;
  private AmqpPublisher publisher;
  private DeadQueueReader dead;

  @BeforeEach
  void connect() throws Exception {
    stranger = opened(new ForeignProgram(broker().port()));
    stranger.queue(QUEUE);
    stranger.queue(DEAD);
    publisher = opened(publisher(broker().config()));
    dead = opened(deadQueue(broker().config(), publisher));
  }

  DeadQueueReader dead() {
    return dead;
  }

  private <T extends AutoCloseable> T opened(T it) {
    open.push(it);
    return it;
  }

  // Without a broker nothing was opened.
  @AfterEach
  void disconnect() throws Exception {
    while (!open.isEmpty()) open.pop().close();
  }

  @Test
  void lookingShowsTheNewestFirstAndLeavesEverythingInItsPlace() throws Exception {
    for (int i = 0; i < 25; i++) bury("m" + i, "reason " + i);

    var pages = new ArrayList<DeadQueueReader.Page>();
    for (var before = DeadQueueReader.MOST_SEEN; before > 0; before = pages.getLast().older()) {
      pages.add(dead.newest(before, 10));
    }
    for (int i = 0; i < 25; i++) dead.find("x");
    var again = dead.newest(DeadQueueReader.MOST_SEEN, 10);
    var letter = dead.find(pages.getLast().letters().getFirst().id()).orElseThrow();

    assertThat(pages).extracting(DeadQueueReader.Page::total).containsExactly(25L, 25L, 25L);
    assertThat(pages).extracting(DeadQueueReader.Page::older).containsExactly(15, 5, 0);
    assertThat(pages.stream().flatMap(page -> page.letters().stream()).map(DeadMessage::reason))
        .startsWith("reason 24", "reason 23")
        .endsWith("reason 0")
        .hasSize(25);
    assertThat(again).isEqualTo(pages.getFirst());
    assertThat(letter.body()).asString(UTF_8).isEqualTo("m4");
    assertThat(letter.diedAt()).isEqualTo(NOW);
    assertThat(letter.attempts()).isEqualTo(1);
    assertThat(dead.count()).isEqualTo(25);
    assertThat(stranger.bodies(DEAD)).hasSize(25).startsWith("m0", "m1").endsWith("m23", "m24");
  }

  @Test
  void aLookAtAQueueTakesNoMoreThanItShowsAndLeavesItToItsConsumers() throws Exception {
    for (int i = 0; i < 30; i++) stranger.publish(QUEUE, "m" + i);
    stranger.confirm();

    try (var peek = new QueueInspector(broker().config())) {
      var seen = peek.oldest(QUEUE, 3);
      var none = peek.oldest("nobody.declared.this", 3);

      assertThat(seen.total()).isEqualTo(30);
      assertThat(seen.messages())
          .extracting(m -> new String(m.body(), UTF_8))
          .containsExactly("m0", "m1", "m2");
      assertThat(none.messages()).isEmpty();
    }
    await().until(() -> stranger.depth(QUEUE) == 30);
    var left = stranger.drain(QUEUE);
    assertThat(left)
        .extracting(got -> new String(got.getBody(), UTF_8))
        .startsWith("m0", "m1", "m2")
        .hasSize(30);
    assertThat(left.stream().filter(got -> got.getEnvelope().isRedeliver())).hasSize(3);
  }

  @Test
  void aLetterGoesBackAsItWas() throws Exception { // G3
    var body = new byte[] {0, 1, -1, (byte) 0xC3};
    stranger.publish(
        QUEUE,
        body,
        new BasicProperties.Builder()
            .messageId("id")
            .contentType("x/y")
            .correlationId("c")
            .deliveryMode(2)
            .timestamp(Date.from(NOW))
            .headers(
                Map.of(
                    "theirs",
                    "ü",
                    "CC",
                    List.of(QUEUE),
                    "n",
                    5,
                    "tidemill-crawl",
                    "crawl-1",
                    "tidemill-shape",
                    new byte[] {-1, 7}))
            .build());
    var original = bury("bad");
    var id = onlyId();

    var shown = dead.find(id).orElseThrow();
    var end = dead.redrive(id, () -> {});

    assertThat(end).contains(new Redrive.Moved(QUEUE, true));
    var back = stranger.drain(QUEUE);
    assertThat(back).hasSize(1);
    assertThat(back.getFirst().getBody()).isEqualTo(body);
    assertThat(back.getFirst().getProperties())
        .usingRecursiveComparison()
        .ignoringFields("bodySize")
        .isEqualTo(original.getProps());
    assertThat(stranger.depth(DEAD)).isZero();
    assertThat(shown.headers())
        .containsOnlyKeys("theirs", "CC", "n", "tidemill-crawl", "tidemill-shape");
    assertThat(shown.body()).isEqualTo(body);
    assertThat(shown.origin()).isEqualTo(QUEUE);
    assertThat(shown.timestamp()).isEqualTo(NOW);
  }

  @Test
  void onlyTheOneThatWasAskedForGoes() throws Exception {
    for (int i = 0; i < 12; i++) bury("m" + i, "bad");
    var ids =
        dead.newest(DeadQueueReader.MOST_SEEN, 12).letters().stream().map(DeadMessage::id).toList();

    for (var index : List.of(0, 5, 11))
      assertThat(dead.redrive(ids.get(index), () -> {})).isPresent();

    assertThat(ids).doesNotHaveDuplicates();
    assertThat(dead.redrive(ids.get(5), () -> {})).isEmpty();
    assertThat(stranger.bodies(QUEUE)).containsExactly("m11", "m6", "m0");
    assertThat(stranger.bodies(DEAD))
        .containsExactly("m1", "m2", "m3", "m4", "m5", "m7", "m8", "m9", "m10");
  }

  @Test
  void onlyTheOneThatIsDiscardedLeaves() throws Exception {
    for (int i = 0; i < 12; i++) bury("m" + i, "bad");
    var ids =
        dead.newest(DeadQueueReader.MOST_SEEN, 12).letters().stream().map(DeadMessage::id).toList();

    assertThat(dead.discard(ids.get(4))).isTrue();

    assertThat(dead.discard(ids.get(4))).isFalse();
    assertThat(dead.discard("x")).isFalse();
    assertThat(stranger.depth(QUEUE)).isZero();
    assertThat(stranger.bodies(DEAD)).hasSize(11).doesNotContain("m7").startsWith("m0", "m1");
  }

  @Test
  void whatCanNotBePublishedStaysDead() throws Exception {
    bury("m", "bad");
    try (var nowhere = publisher(broker().config(1, Duration.ofMillis(200)));
        var stuck = deadQueue(broker().config(), nowhere)) {
      var id = onlyId();

      assertThatThrownBy(() -> stuck.redrive(id, () -> {})).isInstanceOf(AmqpException.class);

      assertThat(stuck.find(id)).isPresent();
      assertThat(stranger.depth(QUEUE)).isZero();
    }
  }

  @Test
  void whoIsCutOffBeforeTheAckLeavesItInBoth() throws Exception {
    bury("m", "bad");
    try (var proxy = new FaultProxy(broker().port());
        var cut = deadQueue(broker().config(proxy.port()), publisher)) {
      var id = onlyId();
      proxy.breakWith((wire, fromClient, piece) -> {
        if (!fromClient || !HexFormat.of().formatHex(piece).contains(ACK)) return true;
        wire.reset();
        return false;
      });

      cut.redrive(id, () -> {});

      await().until(() -> dead.find(id).isPresent());
      assertThat(stranger.bodies(QUEUE)).containsExactly("m");
    }
  }

  @Test
  void aLetterWhoseQueueIsGoneStays() throws Exception { // F35
    bury("m", "bad");
    var id = onlyId();
    stranger.channel().queueDelete(QUEUE);

    assertThat(dead.redrive(id, () -> {})).contains(new Redrive.NoQueue(QUEUE));

    assertThat(stranger.bodies(DEAD)).containsExactly("m");
  }

  @Test
  void lettersOfStrangersAreShownAndStay() throws Exception {
    stranger.publish(DEAD, "plain");
    stranger.publish(DEAD, "misled".getBytes(UTF_8), Map.of("tidemill-origin", "payments"));
    stranger.publish(
        DEAD,
        new byte[0],
        Map.of(
            "tidemill-id", "no id/", "tidemill-attempts", "many", "tidemill-died-at", "yesterday"));
    stranger.confirm();

    var letters = dead.newest(DeadQueueReader.MOST_SEEN, 10).letters();

    assertThat(letters).hasSize(3).allMatch(letter -> DeadMessage.isId(letter.id()));
    assertThat(letters).allMatch(letter -> letter.attempts() == 0 && letter.diedAt() == null);
    assertThat(letters.stream().map(letter -> dead.redrive(letter.id(), () -> {}).orElseThrow()))
        .containsExactly(
            new Redrive.NoOrigin("it does not say which queue it came from"),
            new Redrive.NoOrigin(
                "it says that it came from payments, whose letters do not end in " + DEAD),
            new Redrive.NoOrigin("it does not say which queue it came from"));
    assertThat(dead.newest(DeadQueueReader.MOST_SEEN, 10).letters()).isEqualTo(letters);
    assertThat(stranger.bodies(DEAD)).containsExactly("plain", "misled", "");
  }

  @Test
  void ofManyThatRedriveTheSameOneMovesIt() throws Exception {
    bury("m", "bad");
    var id = onlyId();
    try (var elsewhere = deadQueue(broker().config(), publisher);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Optional<Redrive>> here = () -> dead.redrive(id, () -> {});
      Callable<Optional<Redrive>> there = () -> elsewhere.redrive(id, () -> {});

      var ends = new ArrayList<Optional<Redrive>>();
      for (var end : threads.invokeAll(List.of(here, there, here))) ends.add(end.get());

      assertThat(ends).filteredOn(Optional::isPresent).hasSize(1);
      assertThat(stranger.bodies(QUEUE)).containsExactly("m");
      assertThat(dead.count()).isZero();
    }
  }

  @Test
  void largeOnesBehindSmallOnesFitToo() throws Exception {
    var large = new byte[1024 * 1024];
    for (int i = 0; i < 8; i++) bury("m" + i, "bad");
    for (int i = 0; i < 30; i++) stranger.publish(DEAD, large, Map.of("tidemill-id", "large-" + i));
    stranger.confirm();

    for (int i = 0; i < 2; i++) {
      assertThat(dead.find("large-1")).isPresent(); // the broker is still sending others
      assertThat(dead.newest(DeadQueueReader.MOST_SEEN, 1_000).letters()).hasSize(38);
    }

    assertThat(stranger.drain(DEAD)).hasSize(38);
  }

  @Test
  void withoutAQueueNothingIsDead() throws Exception {
    stranger.channel().queueDelete(DEAD);

    assertThat(dead.newest(DeadQueueReader.MOST_SEEN, 10))
        .isEqualTo(new DeadQueueReader.Page(List.of(), 0, 0));
    assertThat(dead.find("x")).isEmpty();
    assertThat(dead.redrive("x", () -> {})).isEmpty();
    assertThat(dead.count()).isZero();
  }

  @Test
  void withoutABrokerNothingIsKnown() {
    try (var nowhere = deadQueue(broker().config(1), publisher)) {
      assertThatThrownBy(nowhere::count).isInstanceOf(AmqpException.class);
      assertThatThrownBy(() -> nowhere.find("x")).isInstanceOf(AmqpException.class);
    }
  }

  private String onlyId() {
    var letters = dead.newest(DeadQueueReader.MOST_SEEN, 10).letters();
    assertThat(letters).hasSize(1);
    return letters.getFirst().id();
  }

  void bury(String body, String reason) throws Exception {
    stranger.publish(QUEUE, body);
    bury(reason);
  }

  // As a consumer does it, one message at a time.
  private GetResponse bury(String reason) throws Exception {
    stranger.confirm();
    var got = stranger.channel().basicGet(QUEUE, true);
    var held =
        new HeldMessage(got.getEnvelope().getDeliveryTag(), false, got.getProps(), got.getBody());
    held.attempts = 1;
    var letters = new DeadMessagePublisher(publisher, QUEUE, DEAD, InstantSource.fixed(NOW));
    letters.publish(held, reason);
    return got;
  }

  private static AmqpPublisher publisher(AmqpConfig config) {
    return new AmqpPublisher(config, new SimpleMeterRegistry());
  }

  private static DeadQueueReader deadQueue(AmqpConfig config, AmqpPublisher publisher) {
    return new DeadQueueReader(config, DEAD, Set.of(QUEUE), publisher);
  }
}
