package io.tidemill.processor.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.amqp.OutgoingMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class UnconfirmedMessagesTest {
  private static final int MIB = 1024 * 1024;

  private final List<Confirm> sent = new ArrayList<>();
  private final UnconfirmedMessages unconfirmed = new UnconfirmedMessages(this::sending, _ -> {});

  private CompletableFuture<Void> sending(OutgoingMessage message) {
    sent.add(new Confirm());
    return sent.getLast();
  }

  @Test
  void waitsWhenTheyAreManyBytes() throws InterruptedException {
    for (int i = 0; i < 10; i++) unconfirmed.send(message(MIB));

    assertThat(unconfirmed.size()).isEqualTo(8);
    assertThat(waits()).isEqualTo(2);
  }

  @Test
  void waitsWhenTheyAreMany() throws InterruptedException {
    for (int i = 0; i < 300; i++) unconfirmed.send(message(1));

    assertThat(unconfirmed.size()).isEqualTo(256);
    assertThat(waits()).isEqualTo(44);
  }

  @Test
  void oneLargeMessageGoesAlone() throws InterruptedException {
    for (int i = 0; i < 3; i++) unconfirmed.send(message(9 * MIB));

    assertThat(unconfirmed.size()).isEqualTo(1);
  }

  @Test
  void letsGoOfWhatTheBrokerHas() throws InterruptedException {
    for (int i = 0; i < 20; i++) unconfirmed.send(message(1));
    sent.forEach(confirm -> confirm.complete(null));

    unconfirmed.send(message(1));

    assertThat(unconfirmed.size()).isEqualTo(1);
  }

  @Test
  void inTheEndNoneIsLeft() throws InterruptedException {
    for (int i = 0; i < 20; i++) unconfirmed.send(message(1));

    unconfirmed.finish();

    assertThat(unconfirmed.size()).isZero();
    assertThat(waits()).isEqualTo(20);
  }

  private long waits() {
    return sent.stream().filter(Confirm::isDone).count();
  }

  private static OutgoingMessage message(int bytes) {
    return new OutgoingMessage("", "pages", new byte[bytes], Map.of(), null, null, null);
  }

  /// Comes when somebody waits for it.
  private static final class Confirm extends CompletableFuture<Void> {
    @Override
    @SuppressWarnings("NullAway") // there is no other value of this type
    public Void get() throws InterruptedException, ExecutionException {
      complete(null);
      return super.get();
    }
  }
}
