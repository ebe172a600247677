package io.tidemill.gateway;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.Json;
import io.tidemill.contract.job.DeadJob;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.http.Parameters;
import io.tidemill.http.Response;
import io.tidemill.http.Stored;
import io.tidemill.observe.Traces;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.JobsConfig;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Queue entries that are no job, or that no worker survived (C3.8).
final class DeadEntries implements DeadSource {
  static final String NAME = "jobs";

  private final DeadJobs jobs;
  private final JobsConfig config;

  DeadEntries(DeadJobs jobs, JobsConfig config) {
    this.jobs = jobs;
    this.config = config;
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    if (before != null && !EventStream.isEventId(before)) {
      throw new Parameters.Wrong("before", "the next of another page");
    }
    var dead = Stored.answer(() -> jobs.newest(before, limit));
    var next = dead.size() < limit ? null : dead.getLast().id();
    return new Page(
        dead.stream().map(DeadEntries::encode).toList(), Stored.answer(jobs::count), next);
  }

  @Override
  public long waiting() {
    return Stored.answer(jobs::count);
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return job(id).map(DeadEntries::encode);
  }

  private Optional<DeadJob> job(String id) {
    return EventStream.isEventId(id) ? Stored.answer(() -> jobs.find(id)) : Optional.empty();
  }

  // It is gone with its redrive, so there is no second one.
  @Override
  public Optional<Response> redrive(String id, boolean again) {
    return job(id).flatMap(this::redrive);
  }

  private Optional<Response> redrive(DeadJob dead) {
    return switch (JobCodec.decodeEntry(JobCodec.decodeFields(dead.fields()))) {
      case Decoded.Message(var entry) -> redrive(dead, entry);
      case Decoded.Malformed(var why) -> Optional.of(noJob(why));
      case Decoded.Unreadable(var why) -> Optional.of(noJob(why));
    };
  }

  private static Response noJob(String why) {
    return Response.problem(422, "this entry is no job: " + why);
  }

  private Optional<Response> redrive(DeadJob dead, JobEntry entry) {
    var task = JobTask.of(entry.task());
    if (task.isEmpty()) {
      return Optional.of(
          Response.problem(422, "this entry's task must be one of " + JobTask.NAMES));
    }
    var id = UUID.randomUUID().toString();
    var job = new JobSubmission(task.get(), Json.text(entry.payload()), config.ttlS());
    var trace = Traces.header();
    if (!Stored.answer(() -> jobs.redrive(dead.id(), id, job, trace))) return Optional.empty();
    Traces.about("job", id);
    return Optional.of(
        Response.accepted(Json.object().put("job_id", id).put("redriven", dead.id()))
            .withHeader("Location", "/v1/jobs/" + id));
  }

  private static ObjectNode encode(DeadJob dead) {
    var tree = Json.object();
    tree.put("id", dead.id());
    tree.put("source", NAME);
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
}
