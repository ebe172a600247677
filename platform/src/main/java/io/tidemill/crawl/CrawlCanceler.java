package io.tidemill.crawl;

import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.json.Json;
import io.tidemill.work.Cancellation;

/// Cancels crawls that wait or run; one that has ended stays as it is (C1.3).
public final class CrawlCanceler {
  private final CrawlStore store;

  public CrawlCanceler(CrawlStore store) {
    this.store = store;
  }

  /// May throw [RedisException], and may then be repeated.
  public Cancellation cancel(CrawlKey key, String reason) {
    var result = CrawlCodec.failure(reason);
    return switch (store.withdraw(key, CrawlStatus.CANCELED, result, Json.text(result))) {
      case NOW -> new Cancellation.Canceled(null);
      case BEFORE ->
          new Cancellation.AlreadyEnded(
              store.find(key).map(crawl -> crawl.status().wire()).orElse("gone"));
      case UNKNOWN -> new Cancellation.Unknown();
    };
  }
}
