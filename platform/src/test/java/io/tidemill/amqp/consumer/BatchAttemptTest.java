package io.tidemill.amqp.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.amqp.HeldMessage;
import io.tidemill.amqp.consumer.UnsettledDeliveries.Ack;
import io.tidemill.observe.LogContext;
import io.tidemill.work.Settlement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchAttemptTest {
  private int calls;

  @Test
  void aGoodBatchTakesOneCall() {
    var round = attempt(failing(Set.of()), batch(100), true);

    assertThat(calls).isEqualTo(1);
    assertThat(round.settled()).hasSize(100);
    assertThat(round.anyAcknowledged()).isTrue();
  }

  @Test
  void withoutSearchingABadBatchTakesOneCall() {
    var round = attempt(failing(Set.of(5)), batch(100), false);

    assertThat(calls).isEqualTo(1);
    assertThat(round.failed())
        .hasSize(100)
        .allSatisfy((_, why) -> assertThat(why.alone()).isFalse());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 49, 50, 98, 99})
  void oneBadDeliveryIsFoundInFewCalls(int bad) { // F39
    var batch = batch(100);

    var round = attempt(failing(Set.of(bad)), batch, true);

    assertThat(calls).isLessThanOrEqualTo(16);
    assertThat(round.failed().keySet()).containsExactly(batch.get(bad));
    assertThat(round.failed().values()).allMatch(BatchAttempt.Failure::alone);
    assertThat(round.settled()).hasSize(99);
  }

  @Test
  void severalBadDeliveriesAreFound() {
    var bad = Set.of(0, 1, 50, 99);

    var round = attempt(failing(bad), batch(100), true);

    assertThat(round.failed()).hasSize(4);
    assertThat(round.settled()).hasSize(96);
  }

  @Test
  void whenNothingGetsThroughTheSearchEndsSoon() {
    var all = Set.copyOf(IntStream.range(0, 100).boxed().toList());

    var round = attempt(failing(all), batch(100), true);

    assertThat(calls).isLessThan(15);
    assertThat(round.failed()).hasSize(100);
    assertThat(round.anyAcknowledged()).isFalse();
  }

  @Test
  void deadDeliveriesProveNothing() { // the store may be down all the same
    MessageHandler handler =
        (batch, _) ->
            batch.stream()
                .<Settlement>map(delivery ->
                    number(delivery) == 0
                        ? new Settlement.DeadLetter("bad")
                        : new Settlement.Defer("down"))
                .toList();

    var round = attempt(handler, batch(10), true);

    assertThat(round.anyAcknowledged()).isFalse();
    assertThat(round.settled()).hasSize(1);
    assertThat(round.failed()).hasSize(9);
  }

  @Test
  void whatFailsForAReasonOfItsOwnIsCountedAndNotSearchedFor() {
    MessageHandler handler =
        (batch, _) -> {
          calls++;
          return Collections.nCopies(batch.size(), new Settlement.Retry("bad"));
        };

    var round = attempt(handler, batch(10), true);

    assertThat(calls).isEqualTo(1);
    assertThat(round.failed().values())
        .hasSize(10)
        .allMatch(failure -> failure.alone() && failure.isCounted());
  }

  @Test
  void whatIsDeferredIsNotCounted() {
    MessageHandler handler =
        (batch, _) -> Collections.nCopies(batch.size(), new Settlement.Defer("down"));

    var round = attempt(handler, batch(1), true);

    assertThat(round.failed().values()).singleElement().matches(failure -> !failure.isCounted());
  }

  @Test
  void aHandlerThatForgetsADeliveryFails() {
    var round = attempt((_, _) -> List.of(), batch(1), false);

    assertThat(round.failed().values())
        .singleElement()
        .satisfies(why -> assertThat(why.why()).contains("0 settlements for 1"));
  }

  // How they are acknowledged

  @Test
  void whatIsDoneInOrderIsAcknowledgedInOneWord() {
    var unsettled = new UnsettledDeliveries();
    var batch = batch(100);
    unsettled.take(batch);

    assertThat(unsettled.settle(batch)).containsExactly(new Ack(100, true));
    assertThat(unsettled.size()).isZero();
  }

  @Test
  void nothingIsAcknowledgedForAnotherThatIsOpen() { // F37
    var unsettled = new UnsettledDeliveries();
    var batch = batch(6);
    unsettled.take(batch);

    var acks = unsettled.settle(List.of(batch.get(0), batch.get(1), batch.get(3), batch.get(5)));
    assertThat(acks).containsExactly(new Ack(2, true), new Ack(4, false), new Ack(6, false));
    assertThat(unsettled.settle(List.of(batch.get(4)))).containsExactly(new Ack(5, false));
    assertThat(unsettled.settle(List.of(batch.get(2)))).containsExactly(new Ack(3, true));
    assertThat(unsettled.size()).isZero();
  }

  private MessageHandler failing(Set<Integer> bad) {
    return (batch, _) -> {
      calls++;
      if (batch.stream().anyMatch(delivery -> bad.contains(number(delivery)))) {
        throw new IllegalStateException("bad");
      }
      return batch.stream().map(_ -> Settlement.DONE).toList();
    };
  }

  private static BatchAttempt attempt(
      MessageHandler handler, List<HeldMessage> batch, boolean search) {
    try (var context = LogContext.open()) {
      return BatchAttempt.of(handler, context, batch, search);
    }
  }

  private static int number(AmqpDelivery delivery) {
    return Integer.parseInt(new String(delivery.body(), UTF_8));
  }

  private static List<HeldMessage> batch(int size) {
    var batch = new ArrayList<HeldMessage>();
    for (int i = 0; i < size; i++) {
      batch.add(
          new HeldMessage(
              i + 1,
              false,
              new BasicProperties.Builder().build(),
              String.valueOf(i).getBytes(UTF_8)));
    }
    return batch;
  }
}
