package io.tidemill.deadletter.source;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.DeadJob;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.deadletter.ByteText;
import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.deadletter.DeadLetterEdit;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.InvalidCursor;
import io.tidemill.deadletter.Redelivery;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.observe.Traces;
import io.tidemill.redis.StoreRetry;
import io.tidemill.schema.SchemaViolation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Queue entries that are no job, or that no worker survived (C3.8).
public final class JobDeadLetters implements DeadLetterSource {
  public static final String NAME = DeadJobStore.SOURCE;

  private static final Pattern ENTRY_ID = Pattern.compile("[0-9]{1,19}-[0-9]{1,19}");
  private static final int STEP = 200;

  private final DeadJobStore jobs;
  private final JobsConfig config;
  private final HandledNotes notes;

  public JobDeadLetters(DeadJobStore jobs, JobsConfig config, HandledNotes notes) {
    this.jobs = jobs;
    this.config = config;
    this.notes = notes;
  }

  @Override
  public String carrier() {
    return "redis";
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    if (before != null && !isEntryId(before)) {
      throw new InvalidCursor(before);
    }
    var dead = StoreRetry.answer(() -> jobs.newest(before, limit));
    var done = notes.of(dead.stream().map(DeadJob::id).toList());
    var next = dead.size() < limit ? null : dead.getLast().id();
    return new Page(
        dead.stream().map(job -> encode(job, done.get(job.id()))).toList(), total(), next);
  }

  // Fields may be large, and a page of them is read at a time.
  @Override
  public Page brief(int limit, @Nullable String before) {
    var page = list(Math.min(limit, STEP), before);
    for (var row : page.dead()) {
      fault(Json.text(row.path("fields"))).ifPresent(why -> row.put("fault", why));
      row.remove("fields");
    }
    return page;
  }

  @Override
  public long total() {
    return StoreRetry.answer(jobs::count);
  }

  @Override
  public long waiting() {
    return Math.max(0, total() - notes.redriven());
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return job(id)
        .map(dead -> {
          var tree = encode(dead, notes.of(id).orElse(null));
          fault(dead.fields()).ifPresent(why -> tree.put("fault", why));
          ByteText.putValue(tree, Json.bytes(JobDraft.shown(dead)));
          tree.put("schema", JobDraft.SCHEMA);
          return tree.put("editable", !tree.has("cut"));
        });
  }

  private Optional<DeadJob> job(String id) {
    return isEntryId(id) ? StoreRetry.answer(() -> jobs.find(id)) : Optional.empty();
  }

  private static boolean isEntryId(String id) {
    return ENTRY_ID.matcher(id).matches();
  }

  private static Optional<String> fault(String fields) {
    return switch (JobDraft.original(fields)) {
      case Decoded.Message<JobDraft> _ -> Optional.empty();
      case Decoded.Malformed(var why) -> Optional.of(why);
      case Decoded.Unreadable(var why) -> Optional.of(why);
    };
  }

  @Override
  public Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit) {
    return job(id).map(dead -> JobDraft.check(edit.value() == null ? shown(dead) : edit.value()));
  }

  private static String shown(DeadJob dead) {
    return Json.text(JobDraft.shown(dead));
  }

  @Override
  public Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again) {
    return job(id)
        .flatMap(dead -> {
          var newId = UUID.randomUUID().toString();
          return edit.isNone() ? redrive(dead, newId, again) : redriveAs(dead, newId, edit, again);
        });
  }

  // It is gone with its redrive, so there is no second one.
  private Optional<RedriveResult> redrive(DeadJob dead, String newId, boolean again) {
    return switch (JobDraft.original(dead.fields())) {
      case Decoded.Malformed(var why) -> Optional.of(new RedriveResult.Impossible(why));
      case Decoded.Unreadable(var why) -> Optional.of(new RedriveResult.Impossible(why));
      case Decoded.Message(var draft) ->
          createJob(draft, dead, newId, new DeadJobStore.Mode(false, again));
    };
  }

  private Optional<RedriveResult> redriveAs(
      DeadJob dead, String newId, DeadLetterEdit edit, boolean again) {
    if (edit.headers() != null) {
      return Optional.of(
          new RedriveResult.SchemaMismatch(SchemaViolation.of("a job has no headers")));
    }
    var text = edit.value() == null ? shown(dead) : edit.value();
    var violations = JobDraft.check(text);
    if (!violations.isEmpty()) return Optional.of(new RedriveResult.SchemaMismatch(violations));
    return createJob(JobDraft.of(text), dead, newId, new DeadJobStore.Mode(true, again));
  }

  private Optional<RedriveResult> createJob(
      JobDraft draft, DeadJob dead, String newId, DeadJobStore.Mode mode) {
    var job = draft.submission(config.ttlS());
    return switch (StoreRetry.answer(
        () -> jobs.redrive(dead.id(), newId, job, Traces.header(), mode))) {
      case CREATED -> Optional.of(created(dead, newId));
      case BEFORE -> notes.of(dead.id()).map(RedriveResult.HandledBefore::new);
      case GONE -> Optional.empty();
    };
  }

  private static RedriveResult created(DeadJob dead, String newId) {
    Traces.about("job", newId);
    return new RedriveResult.JobCreated(dead.id(), newId);
  }

  // Entry and job change places in one step, and the same key makes the same job.
  @Override
  public Optional<Redelivery> redelivery(String id) {
    return job(id)
        .map(dead ->
            key -> {
              var name = (key + "\n" + id).getBytes(StandardCharsets.UTF_8);
              return redrive(dead, UUID.nameUUIDFromBytes(name).toString(), false)
                  .orElseGet(RedriveResult.Gone::new);
            });
  }

  @Override
  public boolean discard(String id) {
    return isEntryId(id) && StoreRetry.answer(() -> jobs.discard(id));
  }

  @Override
  public void tidy() {
    notes.tidy(jobs::gone);
  }

  private static ObjectNode encode(DeadJob dead, @Nullable Note note) {
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
    HandledNotes.put(tree, note);
    tree.set("fields", JobCodec.value(dead.fields()));
    return tree;
  }
}
