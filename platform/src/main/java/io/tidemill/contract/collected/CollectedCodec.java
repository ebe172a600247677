package io.tidemill.contract.collected;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Reads and writes the event form of contract C5; every input has an answer.
public final class CollectedCodec {
  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private CollectedCodec() {}

  /// The event exactly as the contract shows it.
  public static byte[] encode(CollectedEvent event) {
    var payload =
        Json.object()
            .put("project_id", event.projectId())
            .put("job_id", event.jobId())
            .put("platform", event.platform())
            .put("minio_path", event.minioPath())
            .put("content_count", event.contentCount())
            .put("batch_index", event.batchIndex());
    return Json.bytes(
        Json.object()
            .put("event_id", event.eventId())
            .put("event_type", CollectedNames.ROUTING_KEY)
            .put("timestamp", MILLIS.format(event.timestamp()))
            .set("payload", payload));
  }

  /// Reads the event form, in every spelling that is seen in the wild (C5.2).
  public static Decoded<CollectedEvent> decode(byte[] body) {
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the event is " + Json.fault(notJson));
    }
    try {
      return new Decoded.Message<>(event(tree));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }

  private static CollectedEvent event(JsonNode tree) {
    if (!tree.isObject()) throw new IllegalArgumentException("the event must be a JSON object");
    var payload = tree.get("payload");
    if (payload == null || !payload.isObject()) {
      throw new IllegalArgumentException("payload must be a JSON object");
    }
    checkType(tree.get("event_type"));
    return new CollectedEvent(
        text(tree, "event_id"),
        time(text(tree, "timestamp")),
        isAbsent(payload.get("project_id")) ? null : text(payload, "project_id"),
        text(payload, "job_id"),
        text(payload, "platform").toLowerCase(Locale.ROOT),
        ObjectPath.of(text(payload, "minio_path")).toString(),
        number(payload, payload.has("content_count") ? "content_count" : "item_count"),
        number(payload, "batch_index"));
  }

  private static void checkType(@Nullable JsonNode type) {
    if (type == null || type.isNull()) return;
    if (!type.isString() || !type.stringValue().equals(CollectedNames.ROUTING_KEY)) {
      throw new IllegalArgumentException("event_type must be " + CollectedNames.ROUTING_KEY);
    }
  }

  private static boolean isAbsent(@Nullable JsonNode node) {
    return node == null || node.isNull();
  }

  // An id that somebody wrote as a number is taken digit by digit (C5.6).
  private static String text(JsonNode tree, String name) {
    var node = tree.get(name);
    var text = node != null && (node.isString() || node.isIntegralNumber()) ? node.asString() : "";
    if (text.isBlank()) throw new IllegalArgumentException(name + " must be a non-empty string");
    return text;
  }

  private static int number(JsonNode tree, String name) {
    var node = tree.get(name);
    if (node == null
        || !node.isIntegralNumber()
        || !node.canConvertToInt()
        || node.intValue() < 0) {
      throw new IllegalArgumentException(name + " must be a whole number, 0 or more");
    }
    return node.intValue();
  }

  // Any offset and precision; without an offset it is UTC (G2).
  private static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException noOffset) {
      return local(text);
    }
  }

  private static Instant local(String text) {
    try {
      return LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException notATime) {
      throw new IllegalArgumentException("timestamp must be an ISO 8601 time");
    }
  }
}
