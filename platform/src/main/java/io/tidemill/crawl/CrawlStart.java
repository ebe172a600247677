package io.tidemill.crawl;

import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.kafka.KafkaException;
import java.time.Duration;

/// The result of starting a crawl (C1.4, C1.5).
public sealed interface CrawlStart {
  /// The results that a crawl under an id of the caller can have.
  sealed interface WithId extends CrawlStart {}

  /// The crawlers have the request.
  record Started(CrawlRequest request) implements WithId {}

  /// It was started before; this is the entity now.
  record Repeated(Crawl earlier) implements WithId {}

  /// The URL or an option can't be used.
  record Invalid(String why) implements WithId {}

  /// Its owner has as many crawls as `crawls.max-per-owner` allows.
  record TooManyCrawls(Duration retryAfter) implements WithId {
    public String why() {
      return "this owner has as many crawls as crawls.max-per-owner allows";
    }
  }

  /// The broker did not take the request.
  record NotPublished(KafkaException cause, Duration retryAfter) implements WithId {}

  /// The idempotency key belongs to another crawl.
  record Conflict(String crawlId) implements CrawlStart {
    public String why() {
      return "this Idempotency-Key was used for another crawl";
    }
  }

  /// The first start with this idempotency key waits for the broker.
  record Busy() implements CrawlStart {
    public String why() {
      return "the first request with this Idempotency-Key is under way; try again in a moment";
    }
  }
}
