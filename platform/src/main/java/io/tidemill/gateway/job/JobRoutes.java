package io.tidemill.gateway.job;

import io.tidemill.content.text.Excerpt;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.Job;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problem;
import io.tidemill.http.Problems;
import io.tidemill.http.Request;
import io.tidemill.http.RequestHeaders;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.SseBody;
import io.tidemill.job.JobCanceler;
import io.tidemill.job.JobList;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobSubmitter;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.Submission;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.work.Cancellation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Jobs over HTTP (C3.2 to C3.6, C3.10): `/v1/jobs…`. What the contract leaves open can be answered
/// in another way.
public sealed class JobRoutes implements Routes permits OriginalJobRoutes {
  private static final List<String> STATUSES =
      Arrays.stream(JobStatus.values()).map(JobStatus::wire).toList();
  private static final List<String> TASKS =
      Arrays.stream(JobTask.values()).map(JobTask::wire).toList();
  private static final int MAX_LIMIT = 500;
  private static final int MAX_ERROR = 200;

  private final JobSubmitter submitter;
  private final JobCanceler canceler;
  private final JobStore store;
  private final JobEvents events;
  private final int ttlSeconds;
  private final Tenants tenants;

  public JobRoutes(JobsConfig config, JobSubmitter submitter, JobStore store, JobEvents events) {
    this.submitter = submitter;
    this.canceler = new JobCanceler(store);
    this.store = store;
    this.events = events;
    this.ttlSeconds = config.ttlS();
    this.tenants = new Tenants(config.trustTenant());
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.post("/v1/jobs", this::submit).unaudited(),
        Route.get("/v1/jobs", this::list),
        Route.get("/v1/jobs/{id}", this::show),
        Route.get("/v1/jobs/{id}/events", this::follow),
        Route.post("/v1/jobs/{id}/cancel", this::cancel));
  }

  /// `POST /v1/jobs`
  Response submit(Request request) {
    var key = RequestHeaders.idempotencyKey(request);
    var tenant = tenants.of(request.header(Tenants.HEADER), request.caller());
    return switch (decode(request.body())) {
      case Decoded.Unreadable(var why) -> unreadable(why);
      case Decoded.Malformed(var why) -> malformed(why);
      case Decoded.Message(var job) -> submitted(submitter.submit(job, tenant, key.orElse(null)));
    };
  }

  /// `GET /v1/jobs?status=&task=&limit=&before=`, the newest first
  Response list(Request request) {
    var parameters = new Parameters(request);
    var status = parameters.oneOf("status", STATUSES);
    var task = parameters.oneOf("task", TASKS);
    var before = parameters.text("before", 200);
    if (!before.isEmpty() && !JobList.Query.isCursor(before)) {
      throw new Parameters.Wrong("before", "what an earlier answer gave as next");
    }
    var limit = parameters.number("limit", 50, 1, MAX_LIMIT);
    var query =
        new JobList.Query(status == null ? "" : status, task == null ? "" : task, limit, before);
    return Response.ok(listed(StoreRetry.answer(() -> store.recent().page(query))));
  }

  private static ObjectNode listed(JobList.Page page) {
    var answer = Json.object();
    var rows = answer.putArray("jobs");
    for (var job : page.rows()) {
      var row =
          rows.addObject()
              .put("job_id", job.id())
              .put("task", job.task())
              .put("status", job.status())
              .put("created_at", job.createdTs())
              .put("updated_at", job.updatedTs());
      if (!job.tenant().isEmpty()) row.put("tenant", job.tenant());
      if (!job.error().isEmpty()) row.put("error", excerpt(job.error()));
    }
    answer.put("total", page.total());
    if (page.next() != null) answer.put("next", page.next());
    return answer;
  }

  // Workers of another make may have written anything.
  private static String excerpt(String error) {
    var text = error;
    try {
      var tree = Json.parse(error);
      var message = tree.path("message").asString("");
      var code = tree.path("code").asString("");
      if (!message.isEmpty()) text = code.isEmpty() ? message : code + ": " + message;
    } catch (JacksonException notJson) {
      // It is shown as it is.
    }
    return Excerpt.of(text, MAX_ERROR);
  }

  /// `GET /v1/jobs/{id}`
  Response show(Request request) {
    return find(request)
        .<Response>map(job -> Response.ok(JobCodec.encodeJob(job)))
        .orElseGet(() -> unknown(request.pathParam("id")));
  }

  /// `GET /v1/jobs/{id}/events`
  Response follow(Request request) {
    var id = request.pathParam("id");
    if (!JobNames.isId(id) || !StoreRetry.answer(() -> store.exists(id))) {
      return unknown(id);
    }
    var after = lastEventId(request);
    return streamed(events.follow(id, after.orElse(null)));
  }

  /// `POST /v1/jobs/{id}/cancel`
  Response cancel(Request request) {
    var id = request.pathParam("id");
    String data;
    try {
      data = reason(request.body());
    } catch (JacksonException notJson) {
      return unreadable("the body is " + Json.fault(notJson));
    } catch (IllegalArgumentException malformed) {
      return malformed(String.valueOf(malformed.getMessage()));
    }
    return canceled(id, canceler.cancel(id, data));
  }

  private static String reason(byte[] body) {
    if (body.length == 0) return "{}";
    var tree = Json.parse(body);
    if (!tree.isObject()) throw new IllegalArgumentException("the body must be a JSON object");
    var reason = tree.get("reason");
    if (reason == null) return "{}";
    // An object is the event's data as it is, as with the known gateway; a text needs a name.
    var data = Json.text(reason.isObject() ? reason : Json.object().set("reason", reason));
    if (data.length() > 4_096)
      throw new IllegalArgumentException("reason is longer than 4096 characters");
    return data;
  }

  private Optional<Job> find(Request request) {
    var id = request.pathParam("id");
    return JobNames.isId(id) ? StoreRetry.answer(() -> store.find(id)) : Optional.empty();
  }

  /// The body of `POST /v1/jobs`.
  Decoded<JobSubmission> decode(byte[] body) {
    return JobCodec.decodeSubmission(body, ttlSeconds);
  }

  /// A body that is not JSON.
  Response unreadable(String why) {
    return Problems.unreadable(why);
  }

  /// A body that is JSON, but invalid.
  Response malformed(String why) {
    return Problems.malformed(why);
  }

  Response submitted(Submission submission) {
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

  Response canceled(String id, Cancellation cancellation) {
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

  /// There is no such job.
  Response unknown(String id) {
    return Response.problem(404, "there is no such job; it may have expired");
  }

  /// The event after which a reader wants to go on.
  Optional<String> lastEventId(Request request) {
    return RequestHeaders.lastEventId(request);
  }

  /// A job's events; empty when none will come.
  Response streamed(Optional<SseBody> events) {
    return Response.events(events);
  }
}
