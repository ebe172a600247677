package io.tidemill.processor.report;

import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.processor.chart.ChartPoint;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The data of one crawl.
///
/// @param counts `found`, `fetched`, `skipped`, `failed`, `bytes`
/// @param stoppedBy the limit that ended it; empty when it came to its own end
/// @param error why it failed; empty when it did not
/// @param visits the first thousand, whatever became of them
/// @param words how many of its pages in the index have each
record CrawlData(
    String id,
    String url,
    CrawlStatus status,
    Map<String, Long> counts,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    String stoppedBy,
    String error,
    List<Visit> visits,
    List<ChartPoint> words) {
  /// One page that was visited; what the index does not know is empty.
  ///
  /// @param outcome `fetched`, `skipped` or `failed`
  /// @param status 0 when there was no answer
  /// @param depth -1 when it is not known
  record Visit(
      String url,
      String outcome,
      int status,
      String title,
      long bytes,
      int depth,
      String reason,
      String language,
      String type,
      @Nullable Instant fetchedAt) {}

  CrawlData {
    visits = List.copyOf(visits);
    words = List.copyOf(words);
  }

  long count(String name) {
    return counts.getOrDefault(name, 0L);
  }
}
