package io.tidemill.gateway.job;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.http.Problem;
import io.tidemill.http.Problems;
import io.tidemill.http.Request;
import io.tidemill.http.RequestHeaders;
import io.tidemill.http.Response;
import io.tidemill.http.SseBody;
import io.tidemill.job.Submission;
import io.tidemill.json.Json;
import io.tidemill.work.Cancellation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Our own answers (C3.2 to C3.6, C3.10).
///
/// @param ttlSeconds of a job that names none
record StandardJobAnswers(int ttlSeconds) implements JobAnswers {
  @Override
  public Decoded<JobSubmission> decode(byte[] body) {
    return JobCodec.decodeSubmission(body, ttlSeconds);
  }

  @Override
  public Response unreadable(String why) {
    return Problems.unreadable(why);
  }

  @Override
  public Response malformed(String why) {
    return Problems.malformed(why);
  }

  @Override
  public Response submitted(Submission submission) {
    return switch (submission) {
      case Submission.Accepted(var id) -> accepted(id, Json.object().put("job_id", id));
      case Submission.Repeated(var id) ->
          accepted(id, Json.object().put("job_id", id).put("idempotent", true));
      case Submission.Conflict conflict -> Problems.conflict(conflict.why());
      case Submission.PayloadTooLarge large -> Problems.tooLarge(large.why());
      case Submission.QueueFull full ->
          Problems.queueFull(full.why(), full.waiting(), full.max(), full.retryAfter());
      case Submission.StoreFull full ->
          Problems.retryLater(Problem.of(429, full.why()), full.retryAfter());
    };
  }

  private static Response accepted(String id, ObjectNode answer) {
    return Response.accepted(answer).withHeader("Location", "/v1/jobs/" + id);
  }

  @Override
  public Response canceled(String id, Cancellation cancellation) {
    return switch (cancellation) {
      case Cancellation.Canceled(var was) -> canceled(id, was);
      case Cancellation.AlreadyEnded(var status) ->
          Response.problem(
              Problem.of(409, "the job has already ended as " + status).with("job_status", status));
      case Cancellation.Unknown() -> unknown(id);
    };
  }

  private static Response canceled(String id, @Nullable String was) {
    var answer = Json.object().put("job_id", id).put("status", JobStatus.CANCELED.wire());
    answer.put("updated", true);
    if (was != null) answer.put("was", was);
    return Response.ok(answer);
  }

  @Override
  public Response unknown(String id) {
    return Response.problem(404, "there is no such job; it may have expired");
  }

  @Override
  public Optional<String> lastEventId(Request request) {
    return RequestHeaders.lastEventId(request);
  }

  @Override
  public Response events(Optional<SseBody> events) {
    return Response.events(events);
  }
}
