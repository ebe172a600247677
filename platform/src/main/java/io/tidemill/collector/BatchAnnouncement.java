package io.tidemill.collector;

import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.collected.Collected;
import io.tidemill.contract.collected.ObjectPath;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A batch as its message announced it, in whichever format: from here on they are alike (F44).
///
/// @param key names the batch for ever: told again by another message, it is the same batch
/// @param projectId null when nobody said
/// @param platform of items that don't say
/// @param object where it lies; null when the message itself is the batch
/// @param contentCount null when nobody said
/// @param at when it was collected; null when nobody said
record BatchAnnouncement(
    String key,
    String format,
    String eventId,
    @Nullable String projectId,
    String jobId,
    String platform,
    int index,
    @Nullable ObjectPath object,
    @Nullable Integer contentCount,
    @Nullable Instant at) {
  /// Of items and batches that no project wants to have.
  static final String NO_PROJECT = "unassigned";

  private static final String UNKNOWN = "unknown";

  static BatchAnnouncement of(Collected collected, AmqpDelivery delivery) {
    return switch (collected) {
      case Collected.Event(var event) ->
          new BatchAnnouncement(
              key(
                  String.valueOf(event.projectId()),
                  event.jobId(),
                  String.valueOf(event.batchIndex()),
                  event.minioPath()),
              collected.format(),
              event.eventId(),
              event.projectId(),
              event.jobId(),
              event.platform(),
              event.batchIndex(),
              ObjectPath.of(event.minioPath()),
              event.contentCount(),
              event.timestamp());
      case Collected.Legacy legacy ->
          new BatchAnnouncement(
              key(
                  String.valueOf(legacy.projectId()),
                  String.valueOf(legacy.jobId()),
                  "",
                  legacy.object().toString()),
              collected.format(),
              id(delivery),
              legacy.projectId(),
              legacy.jobId() == null ? "" : legacy.jobId(),
              legacy.platform() == null ? UNKNOWN : legacy.platform(),
              0,
              legacy.object(),
              null,
              null);
      case Collected.Inline inline ->
          new BatchAnnouncement(
              key(Digest.sha256().add(delivery.body()).hex()),
              collected.format(),
              id(delivery),
              first(inline, "project_id"),
              first(inline, "job_id") == null ? "" : String.valueOf(first(inline, "job_id")),
              UNKNOWN,
              0,
              null,
              inline.posts().size(),
              delivery.timestamp());
    };
  }

  String project() {
    return projectId == null ? NO_PROJECT : projectId;
  }

  private static String id(AmqpDelivery delivery) {
    return delivery.messageId() == null ? "" : delivery.messageId();
  }

  private static @Nullable String first(Collected.Inline inline, String field) {
    for (var post : inline.posts()) {
      for (JsonNode place : new JsonNode[] {post.path("meta"), post}) {
        var value = place.path(field);
        var text = value.isString() || value.isIntegralNumber() ? value.asString() : "";
        if (!text.isBlank()) return text;
      }
    }
    return null;
  }

  private static String key(String... parts) {
    return hash(String.join("\0", parts));
  }

  static String hash(String text) {
    return Digest.sha256().add(text).hex(16);
  }
}
