package io.tidemill.cli.job;

import io.tidemill.contract.job.JobTask;
import java.util.Arrays;
import java.util.Iterator;

/// The tasks that a shell may complete.
final class JobTaskNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(JobTask.values()).map(JobTask::wire).iterator();
  }
}
