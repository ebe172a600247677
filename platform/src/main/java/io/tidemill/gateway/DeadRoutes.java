package io.tidemill.gateway;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.Json;
import io.tidemill.contract.job.DeadJob;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.JobsConfig;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/// What could not be worked off, and the way back: `/api/dead…`.
public final class DeadRoutes implements Routes {
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 1_000;

  private final DeadJobs jobs;
  private final JobsConfig config;

  public DeadRoutes(DeadJobs jobs, JobsConfig config) {
    this.jobs = jobs;
    this.config = config;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/dead", this::list),
        Route.get("/api/dead/{id}", this::show),
        Route.post("/api/dead/{id}/redrive", this::redrive));
  }

  /// `GET /api/dead?limit=`
  Response list(Request request) {
    var limit = request.query("limit").map(DeadRoutes::limit).orElse(Optional.of(LIMIT));
    if (limit.isEmpty()) {
      return Response.problem(422, "limit must be a whole number from 1 to " + LIMIT_MOST);
    }
    var answer = Json.object();
    var entries = answer.putArray("dead");
    Stored.answer(() -> jobs.newest(limit.get())).forEach(dead -> entries.add(encode(dead)));
    return Response.ok(answer.put("total", Stored.answer(jobs::count)));
  }

  private static Optional<Integer> limit(String text) {
    try {
      var number = Integer.parseInt(text);
      return number >= 1 && number <= LIMIT_MOST ? Optional.of(number) : Optional.empty();
    } catch (NumberFormatException notANumber) {
      return Optional.empty();
    }
  }

  /// `GET /api/dead/{id}`
  Response show(Request request) {
    return find(request)
        .<Response>map(dead -> Response.ok(encode(dead)))
        .orElseGet(DeadRoutes::unknown);
  }

  /// `POST /api/dead/{id}/redrive`
  Response redrive(Request request) {
    var dead = find(request);
    if (dead.isEmpty()) return unknown();
    return switch (JobCodec.decodeEntry(JobCodec.decodeFields(dead.get().fields()))) {
      case Decoded.Message(var entry) -> redrive(dead.get(), entry);
      case Decoded.Malformed(var why) -> Response.problem(422, "this entry is no job: " + why);
      case Decoded.Unreadable(var why) -> Response.problem(422, "this entry is no job: " + why);
    };
  }

  private Response redrive(DeadJob dead, JobEntry entry) {
    var task = JobTask.of(entry.task());
    if (task.isEmpty()) {
      return Response.problem(422, "this entry's task must be one of " + JobTask.NAMES);
    }
    var id = UUID.randomUUID().toString();
    var job = new JobSubmission(task.get(), Json.text(entry.payload()), config.ttlS());
    var trace = Traces.current().map(TraceParent::toString).orElse(null);
    if (!Stored.answer(() -> jobs.redrive(dead.id(), id, job, trace))) return unknown();
    return Response.accepted(Json.object().put("job_id", id).put("redriven", dead.id()))
        .withHeader("Location", "/v1/jobs/" + id);
  }

  private Optional<DeadJob> find(Request request) {
    var id = request.pathParam("id");
    return EventStream.isEventId(id) ? Stored.answer(() -> jobs.find(id)) : Optional.empty();
  }

  private static ObjectNode encode(DeadJob dead) {
    var tree = Json.object();
    tree.put("id", dead.id());
    tree.put("origin", dead.origin());
    tree.put("origin_id", dead.originId());
    tree.put("job_id", dead.jobId());
    tree.put("attempts", dead.attempts());
    tree.put("reason", dead.reason());
    tree.put("message", dead.message());
    tree.put("ts", dead.ts());
    tree.set("fields", JobCodec.value(dead.fields()));
    return tree;
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such dead entry");
  }
}
