package io.tidemill.collector;

import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.collected.Collected;
import io.tidemill.contract.collected.CollectedEvent;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.collected.ObjectPath;
import io.tidemill.contract.collected.ProjectId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A batch as its message announced it, in whichever format: from here on they are alike (F44).
///
/// @param key names the batch for ever: told again by another message, it is the same batch
/// @param projectId null when nobody said; the name where the event has the UUID of one of ours
/// @param statedProject the id as the message has it
/// @param platform of items that don't say
/// @param object where it lies; null when the message itself is the batch
/// @param contentCount null when nobody said
/// @param at when it was collected; null when nobody said
record BatchAnnouncement(
    String key,
    String format,
    String eventId,
    @Nullable String projectId,
    @Nullable String statedProject,
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
      case Collected.Event(var event) -> of(event, collected.format(), delivery);
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
              first(inline, "project_id"),
              first(inline, "job_id") == null ? "" : String.valueOf(first(inline, "job_id")),
              UNKNOWN,
              0,
              null,
              inline.posts().size(),
              delivery.timestamp());
    };
  }

  private static BatchAnnouncement of(CollectedEvent event, String format, AmqpDelivery delivery) {
    var said = delivery.text(CollectedNames.PROJECT_HEADER).orElse(null);
    var project = ProjectId.name(event.projectId(), said);
    return new BatchAnnouncement(
        key(
            String.valueOf(project),
            event.jobId(),
            String.valueOf(event.batchIndex()),
            event.minioPath()),
        format,
        event.eventId(),
        project,
        event.projectId(),
        event.jobId(),
        event.platform(),
        event.batchIndex(),
        ObjectPath.of(event.minioPath()),
        event.contentCount(),
        event.timestamp());
  }

  String project() {
    return projectId == null ? NO_PROJECT : projectId;
  }

  /// The project as whoever announced the batch knows it.
  String projectForOthers() {
    return statedProject == null ? NO_PROJECT : statedProject;
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
