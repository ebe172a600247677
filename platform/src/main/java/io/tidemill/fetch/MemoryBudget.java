package io.tidemill.fetch;

import io.tidemill.fetch.connection.FetchDeadline;
import io.tidemill.fetch.connection.FetchException;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.fetch.connection.Interruption;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The bytes that all fetches together may hold at once (F48).
final class MemoryBudget {
  private static final int UNIT = 1024;

  private final Semaphore units;
  private final long patienceNanos;

  MemoryBudget(long bytes, Duration patience) {
    units = new Semaphore((int) Math.min(Integer.MAX_VALUE, bytes / UNIT));
    patienceNanos = patience.toNanos();
  }

  Share open(FetchDeadline deadline) {
    return new Share(deadline);
  }

  int freeUnits() {
    return units.availablePermits();
  }

  /// What one fetch holds; given back when it is closed.
  final class Share implements AutoCloseable {
    private final FetchDeadline deadline;
    private int held;

    private Share(FetchDeadline deadline) {
      this.deadline = deadline;
    }

    /// Takes more, waiting a while for others to give back.
    void take(long bytes) throws FetchException {
      var more = units(bytes);
      if (!units.tryAcquire(more)) await(more);
      held += more;
    }

    private void await(int more) throws FetchException {
      var patience = Math.min(patienceNanos, deadline.leftNanos());
      try {
        if (units.tryAcquire(more, patience, TimeUnit.NANOSECONDS)) return;
      } catch (InterruptedException _) {
        throw Interruption.again();
      }
      deadline.check();
      throw new FetchException(FetchFailure.BUSY, "too much is being fetched at once");
    }

    void give(long bytes) {
      var less = Math.min(held, units(bytes));
      held -= less;
      units.release(less);
    }

    private static int units(long bytes) {
      return (int) ((bytes + UNIT - 1) / UNIT);
    }

    @Override
    public void close() {
      units.release(held);
      held = 0;
    }
  }
}
