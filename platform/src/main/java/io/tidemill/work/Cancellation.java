package io.tidemill.work;

import org.jspecify.annotations.Nullable;

/// What became of a request to cancel a job, a crawl, a workflow or a task.
public sealed interface Cancellation {
  /// It is canceled.
  ///
  /// @param was its status before; null when that is not known
  record Canceled(@Nullable String was) implements Cancellation {}

  /// It had ended before, with this status.
  record AlreadyEnded(String status) implements Cancellation {}

  /// There is no such thing, or no more.
  record Unknown() implements Cancellation {}
}
