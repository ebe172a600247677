package io.tidemill.gateway.job;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.SseBody;
import io.tidemill.job.Submission;
import io.tidemill.work.Cancellation;
import java.util.Optional;

/// How `/v1/jobs…` reads requests and answers them where contract C3 leaves it open.
sealed interface JobAnswers permits StandardJobAnswers, OriginalJobAnswers {
  /// The body of `POST /v1/jobs`.
  Decoded<JobSubmission> decode(byte[] body);

  /// A body that is not JSON.
  Response unreadable(String why);

  /// A body that is JSON, but invalid.
  Response malformed(String why);

  Response submitted(Submission submission);

  Response canceled(String id, Cancellation cancellation);

  /// There is no such job.
  Response unknown(String id);

  /// The event after which a reader wants to go on.
  Optional<String> lastEventId(Request request);

  /// A job's events; empty when none will come.
  Response events(Optional<SseBody> events);
}
