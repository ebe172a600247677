package io.tidemill.contract.job;

import io.tidemill.contract.Decoded;
import io.tidemill.json.FieldNames;
import io.tidemill.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes the messages of contract C3; every input has an answer.
public final class JobCodec {
  /// The largest `ttl_s`: a week.
  public static final int MAX_TTL_SECONDS = 604_800;

  private static final FieldNames SUBMISSION = FieldNames.of("task", "payload", "ttl_s");

  private JobCodec() {}

  /// The body of `POST /v1/jobs` (C3.2).
  public static Decoded<JobSubmission> decodeSubmission(byte[] body, int defaultTtlSeconds) {
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the body is " + Json.fault(notJson));
    }
    try {
      return new Decoded.Message<>(submission(tree, defaultTtlSeconds));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }

  private static JobSubmission submission(JsonNode tree, int defaultTtlSeconds) {
    if (!tree.isObject()) throw new IllegalArgumentException("the body must be a JSON object");
    SUBMISSION.refuseMisspelled(tree);
    return new JobSubmission(task(tree.get("task")), payload(tree), ttl(tree, defaultTtlSeconds));
  }

  private static JobTask task(@Nullable JsonNode node) {
    var name = node != null && node.isString() ? node.stringValue() : null;
    return Optional.ofNullable(name)
        .flatMap(JobTask::of)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "task must be one of " + JobTask.NAMES + (node == null ? "; it is missing" : "")));
  }

  private static String payload(JsonNode tree) {
    var node = tree.get("payload");
    if (node == null) return "{}";
    if (!node.isObject()) throw new IllegalArgumentException("payload must be a JSON object");
    return Json.text(node);
  }

  private static int ttl(JsonNode tree, int defaultTtlSeconds) {
    var node = tree.get("ttl_s");
    if (node == null || node.isNull()) return defaultTtlSeconds;
    if (!node.isIntegralNumber()
        || !node.canConvertToInt()
        || node.intValue() < 1
        || node.intValue() > MAX_TTL_SECONDS) {
      throw new IllegalArgumentException(
          "ttl_s must be a whole number of seconds from 1 to " + MAX_TTL_SECONDS);
    }
    return node.intValue();
  }

  /// One queue entry (C3.1); a payload that is not JSON becomes `{"_raw": …}` (C3.7).
  public static Decoded<JobEntry> decodeEntry(Map<String, byte[]> fields) {
    try {
      var id = field(fields, JobFields.JOB_ID);
      if (!JobNames.isId(id)) throw new IllegalArgumentException("job_id is not an id");
      return new Decoded.Message<>(
          new JobEntry(
              id,
              field(fields, JobFields.TASK),
              payload(required(fields, JobFields.PAYLOAD)),
              optional(fields, JobFields.TRACEPARENT),
              optional(fields, JobFields.IDEMPOTENCY_KEY)));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }

  private static JsonNode payload(byte[] text) {
    try {
      return Json.parse(text);
    } catch (JacksonException notJson) {
      return Json.object().put("_raw", new String(text, StandardCharsets.UTF_8));
    }
  }

  private static byte[] required(Map<String, byte[]> fields, String name) {
    var value = fields.get(name);
    if (value == null) throw new IllegalArgumentException("the entry has no field " + name);
    return value;
  }

  private static String field(Map<String, byte[]> fields, String name) {
    var text = utf8(required(fields, name));
    if (text == null || text.isEmpty()) {
      throw new IllegalArgumentException("the entry's " + name + " is empty or not UTF-8");
    }
    return text;
  }

  private static @Nullable String optional(Map<String, byte[]> fields, String name) {
    var value = fields.get(name);
    return value == null || value.length == 0 ? null : utf8(value);
  }

  /// The hash of a job; empty when there is none. Missing or odd values read as none (G7).
  public static Optional<Job> decodeJob(String id, Map<String, String> hash) {
    if (hash.isEmpty()) return Optional.empty();
    return Optional.of(
        new Job(
            hash.getOrDefault(JobFields.JOB_ID, id),
            hash.getOrDefault(JobFields.TASK, ""),
            hash.getOrDefault(JobFields.PAYLOAD, "{}"),
            hash.getOrDefault(JobFields.STATUS, JobStatus.QUEUED.wire()),
            number(hash.get(JobFields.CREATED_TS)),
            number(hash.get(JobFields.UPDATED_TS)),
            number(hash.get(JobFields.TTL_S)),
            blankAsNull(hash.get(JobFields.RESULT)),
            blankAsNull(hash.get(JobFields.ERROR))));
  }

  /// The record as `GET /v1/jobs/{id}` answers it (C3.5).
  public static ObjectNode encodeJob(Job job) {
    var tree = Json.object();
    tree.put("job_id", job.jobId());
    tree.put("task", job.task());
    tree.set("payload", value(job.payload()));
    tree.put("status", job.status());
    tree.put("created_ts", job.createdTs());
    tree.put("updated_ts", job.updatedTs());
    tree.put("ttl_s", job.ttlSeconds());
    tree.set("result", value(job.result()));
    tree.set("error", value(job.error()));
    return tree;
  }

  /// One entry of an event stream.
  public static JobEvent decodeEvent(String id, Map<String, String> fields) {
    return new JobEvent(
        id,
        fields.getOrDefault(JobFields.TYPE, "message"),
        number(fields.get(JobFields.TS)),
        fields.getOrDefault(JobFields.STEP, ""),
        fields.getOrDefault(JobFields.DATA, "{}"));
  }

  /// The `data:` of an SSE event (C3.6).
  public static String encodeEvent(JobEvent event) {
    var tree = Json.object();
    tree.put("id", event.id());
    tree.put("type", event.type());
    tree.put("ts", event.ts());
    tree.put("step", event.step());
    tree.set("data", value(event.data()));
    return Json.text(tree);
  }

  /// An entry's fields as JSON text that loses nothing.
  public static String encodeFields(Map<String, byte[]> fields) {
    var tree = Json.object();
    fields.forEach((name, value) -> {
      var text = utf8(value);
      if (text != null) tree.put(name, text);
      else tree.putObject(name).put("base64", Base64.getEncoder().encodeToString(value));
    });
    return Json.text(tree);
  }

  /// Decodes the text of [#encodeFields]; empty for any other text.
  public static Map<String, byte[]> decodeFields(String json) {
    var fields = new LinkedHashMap<String, byte[]>();
    var tree = value(json);
    if (tree == null) return fields;
    tree.properties()
        .forEach(field -> {
          var bytes = bytes(field.getValue());
          if (bytes != null) fields.put(field.getKey(), bytes);
        });
    return fields;
  }

  private static byte @Nullable [] bytes(JsonNode value) {
    if (value.isString()) return value.stringValue().getBytes(StandardCharsets.UTF_8);
    try {
      var base64 = value.path("base64");
      return base64.isString() ? Base64.getDecoder().decode(base64.stringValue()) : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  /// One entry of the dead stream.
  public static DeadJob decodeDead(String id, Map<String, String> entry) {
    return new DeadJob(
        id,
        entry.getOrDefault(JobFields.ORIGIN, ""),
        entry.getOrDefault(JobFields.ORIGIN_ID, ""),
        blankAsNull(entry.get(JobFields.JOB_ID)),
        (int) number(entry.get(JobFields.ATTEMPTS)),
        entry.getOrDefault(JobFields.REASON, ""),
        entry.getOrDefault(JobFields.MESSAGE, ""),
        number(entry.get(JobFields.TS)),
        entry.getOrDefault(JobFields.FIELDS, "{}"));
  }

  /// JSON text as a value; text that is not JSON as a string.
  public static @Nullable JsonNode value(@Nullable String json) {
    if (json == null) return null;
    try {
      return Json.parse(json);
    } catch (JacksonException notJson) {
      return Json.tree(json);
    }
  }

  private static @Nullable String blankAsNull(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  private static long number(@Nullable String text) {
    try {
      return text == null ? 0 : Long.parseLong(text.strip());
    } catch (NumberFormatException notANumber) {
      return 0;
    }
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }
}
