package io.tidemill.gateway;

import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEvent;
import io.tidemill.http.SseBody;
import io.tidemill.http.SseWriter;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.StoreRetry;
import io.tidemill.redis.stream.StreamEntry;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.redis.stream.TailReader;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The events of one job, crawl, workflow or task over SSE: from `hello` to the terminal one,
/// resumable by `Last-Event-ID` without gap or repeat (C3.6); a reader whose place was trimmed gets
/// a `gap` event first.
public final class EventStream {
  private static final Logger log = LoggerFactory.getLogger(EventStream.class);
  private static final String BEGINNING = "0-0";

  /// One kind of event streams.
  ///
  /// @param idField the field of `hello` that has the id
  /// @param stream from an id to the key of its stream
  /// @param last the latest event: id and type
  /// @param terminal the types of last events
  public record Source(
      String idField,
      UnaryOperator<String> stream,
      Function<String, Optional<Map.Entry<String, String>>> last,
      Predicate<String> exists,
      Set<String> terminal) {}

  private final Source source;
  private final StreamTail tail;
  private final Duration heartbeat;
  private final InstantSource clock;

  public EventStream(Source source, StreamTail tail, Duration heartbeat, InstantSource clock) {
    this.source = source;
    this.tail = tail;
    this.heartbeat = heartbeat;
    this.clock = clock;
  }

  /// The events after `lastEventId`, up to the terminal one; empty when that was the terminal one.
  public Optional<SseBody> follow(String id, @Nullable String lastEventId) {
    if (lastEventId == null) return Optional.of(out -> write(id, BEGINNING, out));
    var last = StoreRetry.answer(() -> source.last().apply(id));
    var seen = last.filter(event -> StreamEntry.compare(event.getKey(), lastEventId) <= 0);
    if (seen.filter(event -> source.terminal().contains(event.getValue())).isPresent()) {
      return Optional.empty();
    }
    // An id beyond the last event was never sent; an empty stream is read from its beginning.
    var after = seen.map(Map.Entry::getKey).orElse(last.isEmpty() ? BEGINNING : lastEventId);
    return Optional.of(out -> write(id, after, out));
  }

  private void write(String id, String after, SseWriter out)
      throws IOException, InterruptedException {
    var hello = Json.object().put(source.idField(), id).put("ts", clock.millis());
    out.event(null, "hello", Json.text(hello));
    try {
      if (!after.equals(BEGINNING)) writeGap(id, after, out);
      writeEvents(id, after, out);
    } catch (RedisException unreachable) {
      // The client reconnects with Last-Event-ID and misses nothing.
      log.debug("event stream of {} ends early: {}", id, unreachable.getMessage());
    }
  }

  // The reader's place was trimmed, or the stream began anew: events in between may be missing.
  private void writeGap(String id, String after, SseWriter out) throws IOException {
    var first = tail.first(source.stream().apply(id));
    if (first.isEmpty() || StreamEntry.compare(first.get(), after) <= 0) return;
    var gap = Json.object().put(source.idField(), id).put("after", after);
    out.event(null, "gap", Json.text(gap.put("next", first.get()).put("ts", clock.millis())));
  }

  private void writeEvents(String id, String after, SseWriter out)
      throws IOException, InterruptedException {
    try (var reader = tail.follow(source.stream().apply(id), after)) {
      while (writeNext(id, reader, out)) {
        // Until the terminal event, or until the stream has expired.
      }
    }
  }

  private boolean writeNext(String id, TailReader reader, SseWriter out)
      throws IOException, InterruptedException {
    var entries = reader.next(heartbeat);
    if (entries.isEmpty()) {
      out.comment("heartbeat");
      return source.exists().test(id);
    }
    for (var entry : entries) {
      var event = JobCodec.decodeEvent(entry.id(), entry.fields());
      out.queue(event.id(), eventType(event), JobCodec.encodeEvent(event));
      if (source.terminal().contains(event.type())) {
        out.flush();
        return false;
      }
    }
    out.flush();
    return true;
  }

  // Types of foreign workers may have line breaks, which would end the SSE field.
  private static String eventType(JobEvent event) {
    var type = event.type().replaceAll("[\\r\\n\\u0000]", " ");
    return type.isBlank() ? "message" : type;
  }
}
