package io.tidemill.processor.step;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.OutgoingMessage;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/// Messages that the broker has not confirmed yet, bounded in number and in bytes. Each is kept
/// until it is confirmed: one in doubt is sent again.
final class UnconfirmedMessages {
  private static final int MOST = 256;
  private static final long MOST_BYTES = 8L * 1024 * 1024;

  private record Sent(OutgoingMessage message, CompletableFuture<Void> confirmed) {}

  private final Function<OutgoingMessage, CompletableFuture<Void>> sending;
  private final Consumer<OutgoingMessage> publishing;
  private final Queue<Sent> sent = new ArrayDeque<>();
  private long bytes;

  /// @param sending begins to send a message
  /// @param publishing sends one and returns when the broker has it
  UnconfirmedMessages(
      Function<OutgoingMessage, CompletableFuture<Void>> sending,
      Consumer<OutgoingMessage> publishing) {
    this.sending = sending;
    this.publishing = publishing;
  }

  /// Sends a message, once there is room for it.
  void send(OutgoingMessage message) throws InterruptedException {
    for (var first = sent.peek(); first != null; first = sent.peek()) {
      if (!first.confirmed().isDone() && hasRoom(message)) break;
      await(first);
    }
    sent.add(new Sent(message, sending.apply(message)));
    bytes += message.body().length;
  }

  private boolean hasRoom(OutgoingMessage message) {
    return sent.size() < MOST && bytes + message.body().length <= MOST_BYTES;
  }

  /// Waits until the broker has all of them.
  void finish() throws InterruptedException {
    for (var first = sent.peek(); first != null; first = sent.peek()) await(first);
  }

  /// How many are kept.
  int size() {
    return sent.size();
  }

  private void await(Sent first) throws InterruptedException {
    sent.remove();
    bytes -= first.message().body().length;
    try {
      first.confirmed().get();
    } catch (ExecutionException refused) {
      if (!(refused.getCause() instanceof AmqpException why)) {
        throw new IllegalStateException(refused);
      }
      if (!why.isTransient()) throw why;
      // A message in doubt is sent again: indexing a page twice is idempotent.
      publishing.accept(first.message());
    }
  }
}
