package io.tidemill.gateway.job;

import io.tidemill.content.text.Excerpt;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.Job;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.gateway.EventStream;
import io.tidemill.gateway.IdempotencyKeys;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problem;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.job.JobList;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Jobs over HTTP (C3.2 to C3.6, C3.10): `/v1/jobs…`.
public final class JobRoutes implements Routes {
  private static final List<String> STATUSES =
      Arrays.stream(JobStatus.values()).map(JobStatus::wire).toList();
  private static final List<String> TASKS =
      Arrays.stream(JobTask.values()).map(JobTask::wire).toList();
  private static final int MOST = 500;
  private static final int SHORT = 200;

  private final JobsConfig config;
  private final JobSubmissions submissions;
  private final JobStore store;
  private final JobEvents events;
  private final Tenants tenants;

  public JobRoutes(
      JobsConfig config, JobSubmissions submissions, JobStore store, JobEvents events) {
    this.config = config;
    this.submissions = submissions;
    this.store = store;
    this.events = events;
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
  public Response submit(Request request) {
    var key = request.header("Idempotency-Key");
    if (key.isPresent() && !IdempotencyKeys.isKey(key.get())) {
      return Response.problem(400, "Idempotency-Key must have 1 to 255 printable ASCII characters");
    }
    var tenant = tenants.of(request);
    if (tenant.isEmpty()) return Tenants.refusal();
    return switch (JobCodec.decodeSubmission(request.body(), config.ttlS())) {
      case Decoded.Unreadable(var why) -> Response.problem(400, why);
      case Decoded.Malformed(var why) -> Response.problem(422, why);
      case Decoded.Message(var job) when isTooLarge(job) ->
          Response.problem(
              413,
              "payload has %d bytes as compact JSON, %d at most"
                  .formatted(size(job), config.maxPayload().bytes()));
      case Decoded.Message(var job) -> submissions.submit(job, tenant.get(), key.orElse(null));
    };
  }

  private boolean isTooLarge(JobSubmission job) {
    return size(job) > config.maxPayload().bytes();
  }

  private static int size(JobSubmission job) {
    return job.payload().getBytes(StandardCharsets.UTF_8).length;
  }

  /// `GET /v1/jobs?status=&task=&limit=&before=`, the newest first
  Response list(Request request) {
    var parameters = new Parameters(request);
    var status = parameters.oneOf("status", STATUSES);
    var task = parameters.oneOf("task", TASKS);
    var before = parameters.text("before", 200);
    if (!before.isEmpty() && !JobList.Wanted.isPlace(before)) {
      throw new Parameters.Wrong("before", "what an earlier answer gave as next");
    }
    var limit = parameters.number("limit", 50, 1, MOST);
    var wanted =
        new JobList.Wanted(status == null ? "" : status, task == null ? "" : task, limit, before);
    return Response.ok(listed(StoreRetry.answer(() -> store.recent().page(wanted))));
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
      if (!job.error().isEmpty()) row.put("error", shortly(job.error()));
    }
    answer.put("total", page.total());
    if (page.next() != null) answer.put("next", page.next());
    return answer;
  }

  // What a person reads of an error, whoever wrote it.
  private static String shortly(String error) {
    var text = error;
    try {
      var tree = Json.parse(error);
      var message = tree.path("message").asString("");
      var code = tree.path("code").asString("");
      if (!message.isEmpty()) text = code.isEmpty() ? message : code + ": " + message;
    } catch (JacksonException notJson) {
      // Then it is shown as it is.
    }
    return Excerpt.of(text, SHORT);
  }

  /// `GET /v1/jobs/{id}`
  Response show(Request request) {
    return find(request)
        .<Response>map(job -> Response.ok(JobCodec.encodeJob(job)))
        .orElseGet(JobRoutes::unknown);
  }

  /// `GET /v1/jobs/{id}/events`
  Response follow(Request request) {
    var id = request.pathParam("id");
    if (!JobNames.isId(id) || !StoreRetry.answer(() -> store.exists(id))) return unknown();
    var after = request.header("Last-Event-ID").filter(header -> !header.isEmpty());
    if (after.isPresent() && !EventStream.isEventId(after.get())) {
      return Response.problem(
          400, "Last-Event-ID must be the id of an event, such as 1700000000000-0");
    }
    return events.follow(id, after.orElse(null));
  }

  /// `POST /v1/jobs/{id}/cancel`
  Response cancel(Request request) {
    var id = request.pathParam("id");
    String data;
    try {
      data = reason(request.body());
    } catch (JacksonException notJson) {
      return Response.problem(400, "the body is " + Json.fault(notJson));
    } catch (IllegalArgumentException malformed) {
      return Response.problem(422, String.valueOf(malformed.getMessage()));
    }
    if (!JobNames.isId(id)) return unknown();
    var asked = new AtomicInteger();
    var before =
        StoreRetry.answer(() -> {
          asked.incrementAndGet();
          return store.cancel(id, data);
        });
    if (before.isEmpty()) return unknown();
    var ended = JobStatus.of(before.get()).map(JobStatus::isTerminal).orElse(false);
    // Asked twice because the first answer was lost: then this cancel is the one that is found.
    var ours = asked.get() > 1 && before.get().equals(JobStatus.CANCELED.wire());
    if (ended && !ours) {
      return Response.problem(
          Problem.of(409, "the job has already ended as " + before.get())
              .with("job_status", before.get()));
    }
    var answer = Json.object().put("job_id", id).put("status", JobStatus.CANCELED.wire());
    answer.put("updated", true);
    if (!ours) answer.put("was", before.get());
    return Response.ok(answer);
  }

  private static String reason(byte[] body) {
    if (body.length == 0) return "{}";
    var tree = Json.parse(body);
    if (!tree.isObject()) throw new IllegalArgumentException("the body must be a JSON object");
    var reason = tree.get("reason");
    if (reason == null) return "{}";
    var data = Json.text(Json.object().set("reason", reason));
    if (data.length() > 4_096)
      throw new IllegalArgumentException("reason is longer than 4096 characters");
    return data;
  }

  private Optional<Job> find(Request request) {
    var id = request.pathParam("id");
    return JobNames.isId(id) ? StoreRetry.answer(() -> store.find(id)) : Optional.empty();
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such job; it may have expired");
  }
}
