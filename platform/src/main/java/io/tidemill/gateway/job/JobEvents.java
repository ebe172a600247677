package io.tidemill.gateway.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.gateway.EventStream;
import io.tidemill.http.SseBody;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.redis.stream.StreamTail;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A job's events as they come, over SSE (C3.6).
public final class JobEvents {
  private static final Set<String> TERMINAL =
      Arrays.stream(JobStatus.values())
          .filter(JobStatus::isTerminal)
          .map(JobStatus::wire)
          .collect(Collectors.toUnmodifiableSet());

  private final EventStream events;

  public JobEvents(JobStore store, StreamTail tail, JobsConfig config, InstantSource clock) {
    var source =
        new EventStream.Source(
            "job_id",
            JobNames::events,
            id -> store.lastEvent(id).map(event -> Map.entry(event.id(), event.type())),
            store::exists,
            TERMINAL);
    events = new EventStream(source, tail, config.heartbeat(), clock);
  }

  /// The events after `lastEventId`, up to the terminal one; empty when that was the terminal one.
  Optional<SseBody> follow(String jobId, @Nullable String lastEventId) {
    return events.follow(jobId, lastEventId);
  }
}
