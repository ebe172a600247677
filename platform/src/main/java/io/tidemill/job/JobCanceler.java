package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.redis.StoreRetry;
import io.tidemill.work.Cancellation;
import java.util.concurrent.atomic.AtomicInteger;

/// Cancels jobs that wait or run (C3.10); one that has ended stays as it is.
public final class JobCanceler {
  private final JobStore store;

  public JobCanceler(JobStore store) {
    this.store = store;
  }

  /// @param data of the job's last event, the JSON text of an object
  public Cancellation cancel(String jobId, String data) {
    if (!JobNames.isId(jobId)) return new Cancellation.Unknown();
    var asked = new AtomicInteger();
    var before =
        StoreRetry.answer(() -> {
          asked.incrementAndGet();
          return store.cancel(jobId, data);
        });
    if (before.isEmpty()) return new Cancellation.Unknown();
    var status = before.get();
    if (!JobStatus.of(status).map(JobStatus::isTerminal).orElse(false)) {
      return new Cancellation.Canceled(status);
    }
    // Asked twice because the first answer was lost: then this cancel is the one that is found.
    return asked.get() > 1 && status.equals(JobStatus.CANCELED.wire())
        ? new Cancellation.Canceled(null)
        : new Cancellation.AlreadyEnded(status);
  }
}
