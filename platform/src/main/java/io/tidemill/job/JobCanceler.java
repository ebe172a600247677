package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.redis.StoreRetry;
import io.tidemill.work.Cancellation;
import java.util.concurrent.atomic.AtomicInteger;

/// Cancels jobs that wait or run (C3.10); one that has ended stays as it is.
public final class JobCanceler {
  private static final Cancellation CANCELED_BEFORE =
      new Cancellation.AlreadyEnded(JobStatus.CANCELED.wire());

  private final JobStore store;

  public JobCanceler(JobStore store) {
    this.store = store;
  }

  /// @param data of the job's last event, the JSON text of an object
  public Cancellation cancel(String jobId, String data) {
    if (!JobNames.isId(jobId)) return new Cancellation.Unknown();
    var calls = new AtomicInteger();
    var result =
        StoreRetry.answer(() -> {
          calls.incrementAndGet();
          return store.cancel(jobId, data);
        });
    // The first reply was lost: the earlier cancel that the second call finds is this one.
    return calls.get() > 1 && result.equals(CANCELED_BEFORE)
        ? new Cancellation.Canceled(null)
        : result;
  }
}
