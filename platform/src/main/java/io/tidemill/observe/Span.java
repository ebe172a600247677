package io.tidemill.observe;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A span that has ended.
///
/// @param parentId null for the first of its trace
/// @param role of the process that did it
/// @param startMicros since the epoch
/// @param error null when it went well
/// @param attributes few and short
/// @param objects what it was about, such as `job:ID`
public record Span(
    String traceId,
    String spanId,
    @Nullable String parentId,
    String name,
    SpanKind kind,
    String role,
    long startMicros,
    long durationMicros,
    @Nullable String error,
    Map<String, String> attributes,
    List<String> objects) {}
