package io.tidemill.gateway;

import io.tidemill.broker.streams.StreamEntry;
import io.tidemill.broker.streams.StreamTail;
import io.tidemill.broker.streams.TailReader;
import io.tidemill.contract.Json;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobEvent;
import io.tidemill.contract.job.JobNames;
import io.tidemill.http.Response;
import io.tidemill.http.SseWriter;
import io.tidemill.store.redis.JobStore;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.StoreException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A job's events as they come, over SSE (C3.6).
public final class JobEvents {
  private static final Logger log = LoggerFactory.getLogger(JobEvents.class);
  private static final String BEGINNING = "0-0";
  private static final Pattern EVENT_ID = Pattern.compile("\\d{1,19}-\\d{1,19}");

  private final JobStore store;
  private final StreamTail tail;
  private final JobsConfig config;
  private final InstantSource clock;

  public JobEvents(JobStore store, StreamTail tail, JobsConfig config, InstantSource clock) {
    this.store = store;
    this.tail = tail;
    this.config = config;
    this.clock = clock;
  }

  static boolean isEventId(String id) {
    return EVENT_ID.matcher(id).matches();
  }

  /// The events after `lastEventId`, up to the terminal one.
  Response follow(String jobId, @Nullable String lastEventId) {
    if (lastEventId == null) return Response.events(out -> write(jobId, BEGINNING, out));
    var last = Stored.answer(() -> store.lastEvent(jobId));
    var seen = last.filter(event -> StreamEntry.compare(event.id(), lastEventId) <= 0);
    if (seen.filter(JobEvent::isTerminal).isPresent()) {
      // A browser reconnects when a stream ends; 204 tells it that there is nothing more.
      return Response.noContent();
    }
    // Nobody can have seen more than there is.
    var after = seen.map(JobEvent::id).orElse(last.isEmpty() ? BEGINNING : lastEventId);
    return Response.events(out -> write(jobId, after, out));
  }

  private void write(String jobId, String after, SseWriter out)
      throws IOException, InterruptedException {
    var hello = Json.object().put("job_id", jobId).put("ts", clock.millis());
    out.event(null, "hello", Json.text(hello));
    try (var reader = tail.follow(JobNames.events(jobId), after)) {
      while (writeNext(jobId, reader, out)) {
        // Until the terminal event, or until the job has expired.
      }
    } catch (StoreException unreachable) {
      // The reader comes back with Last-Event-ID and misses nothing.
      log.debug("event stream of {} ends early: {}", jobId, unreachable.getMessage());
    }
  }

  private boolean writeNext(String jobId, TailReader reader, SseWriter out)
      throws IOException, InterruptedException {
    var entries = reader.next(config.heartbeat());
    if (entries.isEmpty()) {
      out.comment("heartbeat");
      return store.exists(jobId);
    }
    for (var entry : entries) {
      var event = JobCodec.decodeEvent(entry.id(), entry.fields());
      out.queue(event.id(), eventType(event), JobCodec.encodeEvent(event));
      if (event.isTerminal()) {
        out.flush();
        return false;
      }
    }
    out.flush();
    return true;
  }

  // A foreign worker's type goes onto a line of its own: it must not break it.
  private static String eventType(JobEvent event) {
    var type = event.type().replaceAll("[\\r\\n\\u0000]", " ");
    return type.isBlank() ? "message" : type;
  }
}
