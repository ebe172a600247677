package io.tidemill.trace;

import io.tidemill.json.Json;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.SpanKind;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The spans of recent traces: bounded in each trace, in traces and in time.
///
/// Every method may throw [RedisException].
public final class TraceStore {
  /// Spans that are kept of one trace. The last 50 are reserved for spans that name an object, so
  /// that the end of a crawl is not lost behind its pages.
  public static final int MOST_SPANS = 500;

  static final int MOST_PLAIN = 450;
  private static final int SPANS_A_TRACE = 20;
  private static final int MOST_OF_AN_OBJECT = 20;
  private static final Script KEEP = Script.load(TraceStore.class, "keep_spans.lua");
  private static final Script LIST = Script.load(TraceStore.class, "list_traces.lua");
  private static final String RECENT = "traces:recent";
  private static final String SIZES = "traces:sizes";

  /// A trace in a list.
  ///
  /// @param startMicros since the epoch
  /// @param objects such as `job:ID`
  /// @param place the cursor of the next page
  public record Row(
      String traceId,
      long startMicros,
      long durationMicros,
      String name,
      int spans,
      boolean isError,
      boolean isTruncated,
      List<String> objects,
      Place place) {}

  /// A place in a list of traces.
  public record Place(long startMicros, String traceId) {}

  /// The spans of a trace.
  ///
  /// @param spans as `GET /api/traces/{traceId}` shows them, by their start
  public record Found(List<ObjectNode> spans, boolean isTruncated) {}

  private final Redis redis;
  private final Duration keep;
  private final int kept;
  private final InstantSource clock;

  public TraceStore(Redis redis, ObserveConfig config, InstantSource clock) {
    this.redis = redis;
    this.keep = config.traceKeep();
    this.kept = config.tracesKept();
    this.clock = clock;
  }

  /// Keeps spans of one trace.
  ///
  /// @return whether the trace is full: it takes no more spans without an object
  boolean keep(List<StoredSpan> spans, String process) {
    var first = spans.stream().min(Comparator.comparingLong(StoredSpan::startMicros)).orElseThrow();
    var last = spans.stream().mapToLong(StoredSpan::endMicros).max().orElseThrow();
    var objects = new LinkedHashSet<String>();
    for (var span : spans) objects.addAll(span.objects());
    var id = first.traceId();
    var keys = new ArrayList<>(List.of(spans(id), head(id), RECENT, SIZES));
    for (var object : objects) keys.add("trace:of:" + object);
    var arguments =
        new ArrayList<Object>(
            List.of(
                id,
                ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()),
                keep.toSeconds(),
                MOST_SPANS,
                MOST_PLAIN,
                kept,
                (long) kept * SPANS_A_TRACE + MOST_SPANS,
                MOST_OF_AN_OBJECT,
                first.startMicros(),
                first.name(),
                last,
                spans.stream().anyMatch(TraceStore::isFailure) ? "1" : "0",
                objects.size()));
    arguments.addAll(objects);
    for (var span : spans) {
      arguments.add(span.objects().isEmpty() ? "0" : "1");
      arguments.add(Json.text(span.encode(process)));
    }
    return Long.valueOf(1).equals(redis.run(KEEP, keys, arguments));
  }

  // A failed part, such as a missing page or bucket, does not make the whole trace a failure.
  private static boolean isFailure(StoredSpan span) {
    var isWhole =
        span.parentId() == null
            || !span.objects().isEmpty()
            || span.kind().equals(SpanKind.HTTP.wire());
    return isWhole && span.error() != null;
  }

  /// The trace with this id, unless it is unknown or expired.
  public Optional<Found> find(String traceId) {
    var spans = new ArrayList<ObjectNode>();
    for (var json : Redis.list(redis.call(RedisCommand.LRANGE, spans(traceId), 0, -1))) {
      if (Json.parse(Redis.text(json)) instanceof ObjectNode span) spans.add(span);
    }
    if (spans.isEmpty()) return Optional.empty();
    spans.sort(Comparator.comparingLong(span -> span.path("startUs").asLong(0)));
    var truncated = redis.call(RedisCommand.HGET, head(traceId), "truncated") != null;
    return Optional.of(new Found(spans, truncated));
  }

  /// Traces, the newest first.
  ///
  /// @param object such as `job:ID`; null = of all
  /// @param behind the last row of the page before; null = from the newest
  public List<Row> newest(@Nullable String object, @Nullable Place behind, int limit) {
    var key = object == null ? RECENT : "trace:of:" + object;
    var rows = new ArrayList<Row>();
    for (int offset = 0; rows.size() < limit; offset += limit) {
      var from = behind == null ? "+inf" : String.valueOf(behind.startMicros());
      var found = Redis.list(redis.run(LIST, List.of(key), List.of(from, offset, limit)));
      for (var entry : found) {
        var parts = Redis.list(entry);
        var at = (long) Double.parseDouble(Redis.text(parts.get(1)));
        var place = new Place(at, Redis.text(parts.getFirst()));
        var head = Redis.map(parts.get(2));
        if (!head.isEmpty() && isBehind(place, behind) && rows.size() < limit) {
          rows.add(row(place, head));
        }
      }
      if (found.size() < limit) break;
    }
    return rows;
  }

  // Traces of the same microsecond are ordered by id, descending as the list is.
  private static boolean isBehind(Place place, @Nullable Place last) {
    return last == null
        || place.startMicros() < last.startMicros()
        || place.traceId().compareTo(last.traceId()) < 0;
  }

  private static Row row(Place place, Map<String, String> head) {
    var at = Long.parseLong(head.getOrDefault("at", "0"));
    var end = Long.parseLong(head.getOrDefault("end", "0"));
    return new Row(
        place.traceId(),
        at,
        end - at,
        head.getOrDefault("name", ""),
        Integer.parseInt(head.getOrDefault("spans", "0")),
        head.containsKey("error"),
        head.containsKey("truncated"),
        head.keySet().stream()
            .filter(field -> field.startsWith("of:"))
            .map(field -> field.substring("of:".length()))
            .sorted()
            .toList(),
        place);
  }

  private static String spans(String traceId) {
    return "trace:" + traceId;
  }

  private static String head(String traceId) {
    return "trace:" + traceId + ":head";
  }
}
