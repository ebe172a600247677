package io.tidemill.gateway.job;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.http.Problems;
import io.tidemill.http.Request;
import io.tidemill.http.RequestHeaders;
import io.tidemill.http.Response;
import io.tidemill.http.SseBody;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobSubmitter;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.Submission;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.work.Cancellation;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The answers of the gateway that contract C3 comes from, a FastAPI program: 200, and errors as
/// `{"detail":…}`.
final class OriginalJobRoutes extends JobRoutes {
  private static final int LONGEST_PAYLOAD = 200_000;
  private static final String TOO_LARGE = "payload too large (max ~200KB for gateway)";
  private static final String FULL = "Workers are behind (backlog too high), retry shortly.";

  private final int ttlSeconds;
  private final JobQueueInspector queue;

  OriginalJobRoutes(
      JobsConfig config,
      JobSubmitter submitter,
      JobStore store,
      JobEvents events,
      JobQueueInspector queue) {
    super(config, submitter, store, events);
    this.ttlSeconds = config.ttlS();
    this.queue = queue;
  }

  @Override
  Decoded<JobSubmission> decode(byte[] body) {
    var decoded = JobCodec.decodeSubmission(known(body), ttlSeconds);
    return decoded instanceof Decoded.Message(var job) && job.payload().length() > LONGEST_PAYLOAD
        ? new Decoded.Malformed<>(TOO_LARGE)
        : decoded;
  }

  // Fields that it does not know are ignored, however they are spelled.
  private static byte[] known(byte[] body) {
    try {
      if (!(Json.parse(body) instanceof ObjectNode form)) return body;
      form.retain("task", "payload", "ttl_s");
      if (isNoTime(form.path("ttl_s"))) form.remove("ttl_s");
      return Json.bytes(form);
    } catch (JacksonException notJson) {
      return body; // the decoder says so
    }
  }

  private static boolean isNoTime(JsonNode ttl) {
    return ttl.isIntegralNumber() && ttl.bigIntegerValue().signum() <= 0;
  }

  @Override
  Response unreadable(String why) {
    return invalid("json_invalid", why);
  }

  @Override
  Response malformed(String why) {
    return invalid("value_error", why);
  }

  private static Response invalid(String type, String why) {
    var answer = Json.object();
    var fault = answer.putArray("detail").addObject().put("type", type);
    var where = fault.putArray("loc").add("body");
    Problems.field(why).ifPresent(where::add);
    fault.put("msg", why);
    return Response.json(422, answer);
  }

  @Override
  Response submitted(Submission submission) {
    return switch (submission) {
      case Submission.Accepted(var id) -> Response.ok(Json.object().put("job_id", id));
      case Submission.Repeated(var id) ->
          Response.ok(Json.object().put("job_id", id).put("idempotent", true));
      case Submission.Conflict conflict ->
          error(422, "idempotency_conflict", conflict.why(), Json.object());
      case Submission.PayloadTooLarge _ -> malformed(TOO_LARGE);
      case Submission.QueueFull full ->
          error(429, "backpressure", FULL, backlog(full)).withHeader("Retry-After", "1");
      case Submission.StoreFull full ->
          error(429, "backpressure", full.why(), Json.object()).withHeader("Retry-After", "1");
    };
  }

  private ObjectNode backlog(Submission.QueueFull full) {
    var pending = Math.min(full.waiting(), StoreRetry.answer(queue::inspect).pending());
    return Json.object()
        .put("backlog", full.waiting())
        .put("pending", pending)
        .put("lag", full.waiting() - pending)
        .put("max", full.max());
  }

  private static Response error(int status, String code, String message, ObjectNode details) {
    var answer = Json.object();
    answer.putObject("detail").put("code", code).put("message", message).set("details", details);
    return Response.json(status, answer);
  }

  @Override
  Response canceled(String id, Cancellation cancellation) {
    return switch (cancellation) {
      case Cancellation.Canceled _ -> canceled(id, JobStatus.CANCELED.wire(), true);
      case Cancellation.AlreadyEnded(var status) -> canceled(id, status, false);
      case Cancellation.Unknown() -> unknown(id);
    };
  }

  private static Response canceled(String id, String status, boolean updated) {
    return Response.ok(
        Json.object().put("job_id", id).put("status", status).put("updated", updated));
  }

  @Override
  Response unknown(String id) {
    return error(404, "not_found", "Job not found", Json.object().put("job_id", id));
  }

  // It knows no `Last-Event-ID`: who comes again hears all again. `after` is a parameter of ours.
  @Override
  Optional<String> lastEventId(Request request) {
    return RequestHeaders.eventIdAfter(request);
  }

  @Override
  Response streamed(Optional<SseBody> events) {
    return Response.events(events.<SseBody>map(body -> out -> body.writeTo(out.withoutIds())));
  }
}
