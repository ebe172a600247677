package io.tidemill.gateway.crawl;

import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.gateway.EventStream;
import io.tidemill.http.SseBody;
import io.tidemill.redis.stream.StreamTail;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A crawl's events and progress as they come, over SSE (C1.5).
public final class CrawlEvents {
  private static final Set<String> TERMINAL =
      Arrays.stream(CrawlStatus.values())
          .filter(CrawlStatus::isTerminal)
          .map(CrawlStatus::wire)
          .collect(Collectors.toUnmodifiableSet());

  private final EventStream events;

  public CrawlEvents(CrawlStore store, StreamTail tail, Duration heartbeat, InstantSource clock) {
    var source =
        new EventStream.Source("id", CrawlNames::events, store::lastEvent, store::exists, TERMINAL);
    events = new EventStream(source, tail, heartbeat, clock);
  }

  /// The events after `lastEventId`, up to the terminal one; empty when that was the terminal one.
  Optional<SseBody> follow(String crawlId, @Nullable String lastEventId) {
    return events.follow(crawlId, lastEventId);
  }
}
