package io.tidemill.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// Sends calls that come at the same time as one batch.
///
/// While a batch is in flight the next one fills. A call that comes alone is sent at once.
public final class CallBatcher<C, A> {
  private static final int MAX_CALLS = 64;
  private static final int MAX_WEIGHT = 1_000;
  private static final int MAX_IN_FLIGHT = 2;

  private record Waiting<C, A>(C call, CompletableFuture<A> answer) {}

  private final ConcurrentLinkedQueue<Waiting<C, A>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger senders = new AtomicInteger();
  private final Function<List<C>, List<A>> send;
  private final ToIntFunction<C> weight;

  /// @param send answers a batch, in its order; when it throws, every call of the batch fails
  public CallBatcher(Function<List<C>, List<A>> send) {
    this(send, _ -> 1);
  }

  /// @param weight of a call; a batch has a maximal weight
  public CallBatcher(Function<List<C>, List<A>> send, ToIntFunction<C> weight) {
    this.send = send;
    this.weight = weight;
  }

  public A call(C call) {
    var mine = new Waiting<C, A>(call, new CompletableFuture<>());
    waiting.add(mine);
    if (maySend()) Thread.startVirtualThread(this::sendAll);
    return answer(mine.answer());
  }

  // An interrupt does not end the wait, because the call is in flight and its result matters. The
  // timeout of Redis bounds it.
  private A answer(CompletableFuture<A> answer) {
    try {
      return answer.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RedisException cause) throw cause;
      throw new IllegalStateException(failed.getCause());
    }
  }

  private boolean maySend() {
    while (true) {
      var now = senders.get();
      if (now >= MAX_IN_FLIGHT) return false;
      if (senders.compareAndSet(now, now + 1)) return true;
    }
  }

  private void sendAll() {
    do {
      for (var batch = next(); !batch.isEmpty(); batch = next()) send(batch);
      senders.decrementAndGet();
      // A call may have come between the last poll and the decrement.
    } while (!waiting.isEmpty() && maySend());
  }

  private List<Waiting<C, A>> next() {
    var batch = new ArrayList<Waiting<C, A>>();
    var total = 0;
    while (batch.size() < MAX_CALLS && total < MAX_WEIGHT) {
      var one = waiting.poll();
      if (one == null) break;
      batch.add(one);
      total += weight.applyAsInt(one.call());
    }
    return batch;
  }

  private void send(List<Waiting<C, A>> batch) {
    try {
      var answers = send.apply(batch.stream().map(Waiting::call).toList());
      for (int i = 0; i < batch.size(); i++) batch.get(i).answer().complete(answers.get(i));
    } catch (RuntimeException | Error failed) {
      for (var one : batch) one.answer().completeExceptionally(failed);
    }
  }
}
