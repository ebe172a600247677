package io.tidemill.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// Lets calls that come at the same time go as one.
///
/// While one batch is under way the next one gathers. A call that comes alone goes at once.
final class Gather<C, A> {
  private static final int MOST = 64;
  private static final int UNDER_WAY = 2;

  private record Waiting<C, A>(C call, CompletableFuture<A> answer) {}

  private final ConcurrentLinkedQueue<Waiting<C, A>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger carriers = new AtomicInteger();
  private final Function<List<C>, List<A>> carry;

  /// @param carry answers a batch, in its order; when it throws, every call of the batch fails so
  Gather(Function<List<C>, List<A>> carry) {
    this.carry = carry;
  }

  A call(C call) {
    var mine = new Waiting<C, A>(call, new CompletableFuture<>());
    waiting.add(mine);
    if (mayCarry()) Thread.startVirtualThread(this::carryAll);
    try {
      return mine.answer().get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof StoreException cause) throw cause;
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted", stop);
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
    while (batch.size() < MOST) {
      var one = waiting.poll();
      if (one == null) break;
      batch.add(one);
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
