package io.tidemill.trace;

import io.tidemill.json.Json;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Span;
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
  /// Spans of one trace that are kept. The last of these places are for spans that name their
  /// object: the end of a crawl is not lost behind its pages.
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
  /// @param place where the list goes on behind it
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

  /// A trace with what is known of it.
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
  /// @param process that they come from
  /// @return whether the trace takes no more of those without an object
  boolean keep(List<Span> spans, String process) {
    var first = spans.stream().min(Comparator.comparingLong(Span::startMicros)).orElseThrow();
    var last = spans.stream().mapToLong(TraceStore::endMicros).max().orElseThrow();
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
      arguments.add(Json.text(encode(span, process)));
    }
    var answer = Redis.list(redis.run(KEEP, keys, arguments));
    return Redis.text(answer.getFirst()).equals("full");
  }

  // A page that is not there, or a bucket that has yet to be made, does not make its crawl a
  // failure.
  private static boolean isFailure(Span span) {
    var isWhole =
        span.parentId() == null || !span.objects().isEmpty() || span.kind() == SpanKind.HTTP;
    return isWhole && span.error() != null;
  }

  private static long endMicros(Span span) {
    return span.startMicros() + span.durationMicros();
  }

  private static ObjectNode encode(Span span, String process) {
    var tree = Json.object();
    tree.put("spanId", span.spanId());
    tree.put("parentId", span.parentId());
    tree.put("name", span.name());
    tree.put("kind", span.kind().wire());
    tree.put("role", span.role());
    tree.put("process", process);
    tree.put("startUs", span.startMicros());
    tree.put("durationUs", span.durationMicros());
    tree.put("error", span.error());
    var attributes = tree.putObject("attributes");
    span.attributes().forEach(attributes::put);
    if (!span.objects().isEmpty()) {
      var objects = tree.putArray("objects");
      span.objects().forEach(objects::add);
    }
    return tree;
  }

  /// A trace; empty when there is none, or none any more.
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
  /// @param behind where the list goes on; null = from the newest
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

  // Those of the same microsecond are in the order of their ids.
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
