package io.tidemill.contract.collected;

import io.tidemill.contract.Decoded;
import io.tidemill.json.Json;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Reads the three formats of contract C5 and writes the newest; every input has an answer.
public final class CollectedCodec {
  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  // Longer than any path; names are held to less by whoever keeps them.
  private static final int LONGEST = 2_000;

  /// The longest id of an event, a project, a job or an item, and the longest name of a platform.
  public static final int LONGEST_NAME = 255;

  // One of them makes an object a post, in either layout.
  private static final Set<String> POST = Set.of("meta", "content", "text", "interaction", "id");

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

  /// Reads the event format, in every spelling that is seen in the wild (C5.2).
  public static Decoded<CollectedEvent> decode(byte[] body) {
    return decode(body, CollectedCodec::event);
  }

  /// Reads a message of any format (C5.5): an event when `payload` has a `minio_path`, whatever
  /// else there is; else legacy when there is a `data_ref`; else posts.
  public static Decoded<Collected> read(byte[] body) {
    return decode(body, CollectedCodec::collected);
  }

  private static <T> Decoded<T> decode(byte[] body, Function<JsonNode, T> reading) {
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (JacksonException notJson) {
      return new Decoded.Unreadable<>("the message is " + Json.fault(notJson));
    }
    try {
      return new Decoded.Message<>(reading.apply(tree));
    } catch (IllegalArgumentException notOurs) {
      return new Decoded.Malformed<>(String.valueOf(notOurs.getMessage()));
    }
  }

  private static Collected collected(JsonNode tree) {
    var reference = tree.path("data_ref");
    if (tree.path("payload").has("minio_path")) return new Collected.Event(event(tree));
    if (reference.has("bucket") && reference.has("path")) return legacy(tree, reference);
    if (tree.has("payload")) return new Collected.Event(event(tree)); // which says what is missing
    if (tree.has("data_ref")) return legacy(tree, reference);
    return inline(tree);
  }

  private static Collected legacy(JsonNode tree, JsonNode reference) {
    if (!reference.isObject()) throw new IllegalArgumentException("data_ref must be an object");
    var bucket = text(reference, "bucket");
    if (bucket.indexOf('/') >= 0) {
      throw new IllegalArgumentException("bucket must be the name of a bucket");
    }
    var path = text(reference, "path");
    var platform = optional(tree, "platform");
    return new Collected.Legacy(
        ObjectPath.of(bucket + (path.startsWith("/") ? path : "/" + path)),
        optional(tree, "project_id"),
        optional(tree, "job_id"),
        platform == null ? null : platform.toLowerCase(Locale.ROOT));
  }

  private static @Nullable String optional(JsonNode tree, String name) {
    return isAbsent(tree.get(name)) ? null : name(tree, name);
  }

  private static Collected inline(JsonNode tree) {
    var list = CollectedItems.isList(tree) ? tree.get(CollectedItems.FIELD) : tree;
    var posts = list.isArray() ? List.copyOf(list.values()) : List.of(list);
    if (posts.isEmpty()) throw new IllegalArgumentException("the message has no posts");
    for (var post : posts) {
      if (!post.isObject()) throw new IllegalArgumentException("a post must be a JSON object");
    }
    if (posts.stream().noneMatch(CollectedCodec::looksLikeAPost)) {
      throw new IllegalArgumentException(
          "payload.minio_path, data_ref or a post with content, text or meta, or items must be there");
    }
    return new Collected.Inline(posts);
  }

  private static boolean looksLikeAPost(JsonNode post) {
    return POST.stream().anyMatch(post::has);
  }

  private static CollectedEvent event(JsonNode tree) {
    if (!tree.isObject()) throw new IllegalArgumentException("the event must be a JSON object");
    var payload = tree.get("payload");
    if (payload == null || !payload.isObject()) {
      throw new IllegalArgumentException("payload must be a JSON object");
    }
    checkType(tree.get("event_type"));
    return new CollectedEvent(
        name(tree, "event_id"),
        CollectedTime.read("timestamp", text(tree, "timestamp")),
        project(payload),
        name(payload, "job_id"),
        name(payload, "platform").toLowerCase(Locale.ROOT),
        ObjectPath.of(text(payload, "minio_path")).toString(),
        number(payload, payload.has("content_count") ? "content_count" : "item_count"),
        number(payload, "batch_index"));
  }

  // Collectors that have no project say so: null is an answer, nothing is not (C5.2).
  private static @Nullable String project(JsonNode payload) {
    var project = payload.get("project_id");
    return project != null && project.isNull() ? null : name(payload, "project_id");
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
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(name + " must have at most " + LONGEST + " characters");
    }
    return text;
  }

  // Short enough to be a key in any database, whatever its letters are.
  private static String name(JsonNode tree, String name) {
    var text = text(tree, name);
    if (text.length() <= LONGEST_NAME) return text;
    throw new IllegalArgumentException(name + " must have at most " + LONGEST_NAME + " characters");
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
}
