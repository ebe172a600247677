package io.tidemill.api;

import tools.jackson.databind.JsonNode;

/// Runs the jobs of one task. Found by `ServiceLoader`: name the class in
/// `META-INF/services/io.tidemill.api.JobHandler` of a jar in `data/plugins`.
public interface JobHandler {
  /// The task that this handler is for: `chat`, `plan`, `code`, `tool`, `rag` or `embed`.
  String task();

  /// Works, on a virtual thread of its own; called for many jobs at once.
  ///
  /// The thread is interrupted when the job is canceled, times out or is taken over.
  ///
  /// @return the job's result
  /// @throws JobFailure when the job can't be done, with a code that clients can rely on
  /// @throws RetryLater when another attempt may succeed
  JsonNode handle(JobCall job) throws Exception;
}
