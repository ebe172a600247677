package io.tidemill.trace;

import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A span that has ended, as it is stored.
///
/// @param parentId null for the first of its trace
/// @param kind how a [io.tidemill.observe.SpanKind] is written
/// @param role of the process that it comes from
/// @param startMicros since the epoch
/// @param error null when it succeeded
/// @param objects what it was about, such as `job:ID`
public record StoredSpan(
    String traceId,
    String spanId,
    @Nullable String parentId,
    String name,
    String kind,
    String role,
    long startMicros,
    long durationMicros,
    @Nullable String error,
    Map<String, String> attributes,
    List<String> objects) {
  private static final List<?> OWN_FIELDS =
      List.of(SpanAttributes.KIND, SpanAttributes.ROLE, SpanAttributes.OBJECTS);

  public static StoredSpan of(SpanData span) {
    var parent = span.getParentSpanContext();
    var attributes = span.getAttributes();
    return new StoredSpan(
        span.getTraceId(),
        span.getSpanId(),
        parent.isValid() ? parent.getSpanId() : null,
        span.getName(),
        Objects.requireNonNullElse(attributes.get(SpanAttributes.KIND), ""),
        Objects.requireNonNullElse(attributes.get(SpanAttributes.ROLE), ""),
        TimeUnit.NANOSECONDS.toMicros(span.getStartEpochNanos()),
        TimeUnit.NANOSECONDS.toMicros(span.getEndEpochNanos() - span.getStartEpochNanos()),
        span.getStatus().getStatusCode() == StatusCode.ERROR
            ? span.getStatus().getDescription()
            : null,
        notes(span),
        Objects.requireNonNullElse(attributes.get(SpanAttributes.OBJECTS), List.of()));
  }

  private static Map<String, String> notes(SpanData span) {
    var notes = new LinkedHashMap<String, String>();
    span.getAttributes()
        .forEach((key, value) -> {
          if (OWN_FIELDS.contains(key)) return;
          notes.put(key.getKey().substring(SpanAttributes.PREFIX.length()), value.toString());
        });
    return notes;
  }

  long endMicros() {
    return startMicros + durationMicros;
  }

  /// @param process that it comes from
  ObjectNode encode(String process) {
    var tree = Json.object();
    tree.put("spanId", spanId);
    tree.put("parentId", parentId);
    tree.put("name", name);
    tree.put("kind", kind);
    tree.put("role", role);
    tree.put("process", process);
    tree.put("startUs", startMicros);
    tree.put("durationUs", durationMicros);
    tree.put("error", error);
    var notes = tree.putObject("attributes");
    attributes.forEach(notes::put);
    if (!objects.isEmpty()) objects.forEach(tree.putArray("objects")::add);
    return tree;
  }
}
