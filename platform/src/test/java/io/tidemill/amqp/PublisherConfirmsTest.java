package io.tidemill.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ShutdownSignalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublisherConfirmsTest {
  private final PublisherConfirms confirms = new PublisherConfirms();
  private final List<Boolean> ends = new ArrayList<>();

  @Test
  void anAckOfManyIsOneOfEach() {
    var one = sending(1, "a");
    var two = sending(2, "b");
    var three = sending(3, "c");

    confirms.handleAck(2, true);

    assertThat(one.future).isCompleted();
    assertThat(two.future).isCompleted();
    assertThat(three.future).isNotDone();
    confirms.handleAck(3, false);
    assertThat(ends).containsExactly(true, true, true);
  }

  @Test
  void whatComesBackBeforeItsAckIsUnroutable() { // F35: RabbitMQ
    var lost = sending(1, "a");

    comesBack("a");
    assertThat(lost.future).isNotDone();
    confirms.handleAck(1, false);

    assertThat(failure(lost)).isNotNull().matches(AmqpException::isUnroutable);
  }

  @Test
  void whatComesBackAfterItsNackIsUnroutable() { // F35: Broker-J
    var lost = sending(1, "a");
    var other = sending(2, "b");

    confirms.handleNack(1, false);
    assertThat(lost.future).isNotDone();
    comesBack("a");

    assertThat(failure(lost)).isNotNull().matches(AmqpException::isUnroutable);
    confirms.handleAck(2, false);
    assertThat(other.future).isCompleted();
  }

  @Test
  void aNackAloneIsARefusalThatMayPass() {
    var refused = sending(1, "a");

    confirms.handleNack(1, true);
    confirms.sweep(System.nanoTime());
    assertThat(refused.future).isNotDone();
    confirms.sweep(System.nanoTime() + Duration.ofSeconds(1).toNanos());

    assertThat(failure(refused)).isNotNull().matches(AmqpException::isTransient);
  }

  @Test
  void whatIsLostFailsOnceAndLaterOnesAtOnce() { // F34
    var before = sending(1, "a");

    confirms.lose(new AmqpException("gone", null));
    var after = sending(2, "b");
    confirms.handleAck(1, false);

    assertThat(failure(before)).hasMessage("gone");
    assertThat(failure(after)).hasMessage("gone");
    assertThat(ends).containsExactly(false, false);
  }

  @Test
  void ofAMissingExchangeOnlyItsOwnMessagesAreUnroutable() { // F35
    var guilty =
        sending(1, new PendingConfirm("nope", "k", properties(), new byte[0], 0, ends::add));
    var innocent = sending(2, "b");

    confirms.lose(missing("reply-code=404, no exchange 'nope'"));

    assertThat(failure(guilty)).isNotNull().matches(AmqpException::isUnroutable);
    assertThat(failure(innocent)).isNotNull().matches(AmqpException::isTransient);
  }

  @Test
  void whatIsLateFails() {
    var late = sending(1, "a");

    assertThat(confirms.expire(-1, () -> new AmqpException("late", null))).isFalse();
    assertThat(confirms.expire(0, () -> new AmqpException("late", null))).isTrue();
    assertThat(confirms.expire(0, () -> new AmqpException("late", null))).isFalse();

    assertThat(failure(late)).hasMessage("late");
  }

  private PendingConfirm sending(long number, String body) {
    return sending(
        number, new PendingConfirm("", "q", properties(), body.getBytes(UTF_8), 0, ends::add));
  }

  private PendingConfirm sending(long number, PendingConfirm message) {
    confirms.sending(number, message);
    return message;
  }

  private void comesBack(String body) {
    confirms.returned("", "q", properties(), body.getBytes(UTF_8));
  }

  private static BasicProperties properties() {
    return new BasicProperties.Builder().messageId("same").build();
  }

  private static @Nullable AmqpException failure(PendingConfirm message) {
    try {
      message.future.get();
      return null;
    } catch (ExecutionException failed) {
      return (AmqpException) failed.getCause();
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  private static AmqpException missing(String text) {
    var close = new AMQP.Channel.Close.Builder().replyCode(AMQP.NOT_FOUND).replyText(text).build();
    return new AmqpException(text, new ShutdownSignalException(false, false, close, null));
  }
}
