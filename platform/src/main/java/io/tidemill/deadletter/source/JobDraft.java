package io.tidemill.deadletter.source;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.job.DeadJob;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEntry;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.json.Json;
import io.tidemill.schema.ContractSchemas;
import io.tidemill.schema.SchemaViolation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The job that a dead queue entry becomes: `{"task": …, "payload": …}`, the payload as the JSON
/// that it is and not as a text in it.
record JobDraft(JobTask task, JsonNode payload) {
  static final String SCHEMA = ContractSchemas.path(JobNames.ENTRY);

  /// What the entry itself asks for.
  static Decoded<JobDraft> original(String fields) {
    return switch (JobCodec.decodeEntry(JobCodec.decodeFields(fields))) {
      case Decoded.Malformed<JobEntry>(var why) -> noJob(why);
      case Decoded.Unreadable<JobEntry>(var why) -> noJob(why);
      case Decoded.Message<JobEntry>(var entry) ->
          JobTask.of(entry.task())
              .<Decoded<JobDraft>>map(
                  task -> new Decoded.Message<>(new JobDraft(task, entry.payload())))
              .orElseGet(() ->
                  new Decoded.Malformed<>("this entry's task must be one of " + JobTask.NAMES));
    };
  }

  private static Decoded<JobDraft> noJob(String why) {
    return new Decoded.Malformed<>("this entry is no job: " + why);
  }

  /// The entry for somebody who wants to change it; what it lacks is missing here, too.
  static ObjectNode shown(DeadJob dead) {
    var tree = Json.object();
    JobCodec.decodeFields(dead.fields())
        .forEach((name, bytes) -> {
          var text = new String(bytes, StandardCharsets.UTF_8);
          if (name.equals("task")) tree.put(name, text);
          if (name.equals("payload")) tree.set(name, JobCodec.value(text));
        });
    return tree;
  }

  /// What keeps a text from being such a job.
  static List<SchemaViolation> check(String text) {
    JsonNode tree;
    try {
      tree = Json.parse(text);
    } catch (JacksonException notJson) {
      return SchemaViolation.of(Json.fault(notJson));
    }
    if (!tree.isObject()) return SchemaViolation.of("the job must be a JSON object");
    var violations = new ArrayList<>(ContractSchemas.check(SCHEMA, entry(tree)));
    if (!violations.isEmpty()) return violations;
    if (!payload(tree).isObject()) {
      violations.add(new SchemaViolation("/payload", "must be a JSON object"));
    }
    return violations;
  }

  // As it stands in the queue: the id is made anew, and the payload is a text.
  private static ObjectNode entry(JsonNode tree) {
    var entry = Json.object().put("job_id", "new");
    var payload = tree.get("payload");
    if (tree.has("task")) entry.set("task", tree.get("task"));
    if (payload != null)
      entry.put("payload", payload.isString() ? payload.stringValue() : Json.text(payload));
    return entry;
  }

  private static JsonNode payload(JsonNode tree) {
    var payload = tree.path("payload");
    var value = payload.isString() ? JobCodec.value(payload.stringValue()) : payload;
    return value == null ? payload : value;
  }

  /// A text that [#check] has nothing against.
  static JobDraft of(String text) {
    var tree = Json.parse(text);
    return new JobDraft(JobTask.of(tree.path("task").asString("")).orElseThrow(), payload(tree));
  }

  JobSubmission submission(int ttlSeconds) {
    return new JobSubmission(task, Json.text(payload), ttlSeconds);
  }
}
