package io.tidemill.gateway.search;

import io.tidemill.lucene.SearchException;
import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Maps a failure of the index to 503.
final class SearchRetry {
  private static final Logger log = LoggerFactory.getLogger(SearchRetry.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  // Somebody has to do something about it.
  private static final Duration ELSEWHERE_RETRY_AFTER = Duration.ofSeconds(30);

  private SearchRetry() {}

  static <T> T answer(Supplier<T> question) {
    try {
      return question.get();
    } catch (SearchException failed) {
      if (failed.isElsewhere()) throw elsewhere(failed);
      log.warn("{}", failed.getMessage());
      throw new Unavailable("the search index can't be read", RETRY_AFTER, failed);
    }
  }

  private static Unavailable elsewhere(SearchException failed) {
    return new Unavailable(String.valueOf(failed.getMessage()), ELSEWHERE_RETRY_AFTER, failed);
  }
}
