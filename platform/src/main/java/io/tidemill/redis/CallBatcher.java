package io.tidemill.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// Lets calls that come at the same time go as one.
///
/// While one batch is under way the next one gathers. A call that comes alone goes at once.
public final class CallBatcher<C, A> {
  private static final int MOST = 64;
  private static final int HEAVY = 1_000;
  private static final int UNDER_WAY = 2;

  private record Waiting<C, A>(C call, CompletableFuture<A> answer) {}

  private final ConcurrentLinkedQueue<Waiting<C, A>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger carriers = new AtomicInteger();
  private final Function<List<C>, List<A>> carry;
  private final ToIntFunction<C> weight;

  /// @param carry answers a batch, in its order; when it throws, every call of the batch fails so
  public CallBatcher(Function<List<C>, List<A>> carry) {
    this(carry, _ -> 1);
  }

  /// @param weight of a call; a batch takes no more when it is heavy
  public CallBatcher(Function<List<C>, List<A>> carry, ToIntFunction<C> weight) {
    this.carry = carry;
    this.weight = weight;
  }

  public A call(C call) {
    var mine = new Waiting<C, A>(call, new CompletableFuture<>());
    waiting.add(mine);
    if (mayCarry()) Thread.startVirtualThread(this::carryAll);
    return answer(mine.answer());
  }

  // It is on its way, and whoever asked has to know what became of it: to be told to stop does not
  // end the wait, which Redis' own time limit bounds.
  private A answer(CompletableFuture<A> answer) {
    try {
      return answer.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RedisException cause) throw cause;
      throw new IllegalStateException(failed.getCause());
    }
  }

  private boolean mayCarry() {
    while (true) {
      var now = carriers.get();
      if (now >= UNDER_WAY) return false;
      if (carriers.compareAndSet(now, now + 1)) return true;
    }
  }

  private void carryAll() {
    do {
      for (var batch = next(); !batch.isEmpty(); batch = next()) carry(batch);
      carriers.decrementAndGet();
      // Somebody may have come after the last look and before the decrement.
    } while (!waiting.isEmpty() && mayCarry());
  }

  private List<Waiting<C, A>> next() {
    var batch = new ArrayList<Waiting<C, A>>();
    var heaviness = 0;
    while (batch.size() < MOST && heaviness < HEAVY) {
      var one = waiting.poll();
      if (one == null) break;
      batch.add(one);
      heaviness += weight.applyAsInt(one.call());
    }
    return batch;
  }

  private void carry(List<Waiting<C, A>> batch) {
    try {
      var answers = carry.apply(batch.stream().map(Waiting::call).toList());
      for (int i = 0; i < batch.size(); i++) batch.get(i).answer().complete(answers.get(i));
    } catch (RuntimeException | Error failed) {
      for (var one : batch) one.answer().completeExceptionally(failed);
    }
  }
}
