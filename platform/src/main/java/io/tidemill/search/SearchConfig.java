package io.tidemill.search;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;

/// Settings of the search index, read from keys `search.*`.
@Section("search")
public record SearchConfig(
    @Setting(value = "", doc = "Folder of the index; empty = `index` in `data.dir`.") String dir,
    @Setting(
            value = "2s",
            doc = "How long one search may take; then it answers with what it has found so far.")
        Duration timeout,
    @Setting(value = "100", doc = "The most hits on one page of results.") int maxSize,
    @Setting(value = "10000", doc = "How deep pages of results may go, in hits.") int maxDepth,
    @Setting(value = "100ms", doc = "How old the state of the index that a search sees may be.")
        Duration refresh,
    @Setting(
            value = "1",
            doc =
                "Threads that analyse pages while they are indexed; each writes a part of its own,"
                    + " so more of them are quicker, but cost more in all.")
        int threads,
    @Setting(
            value = "24h",
            doc = "How long the index remembers that a page was removed, against late messages.")
        Duration forgetRemovals,
    @Setting(
            value = "0.3",
            doc =
                "How near the meaning of a page must be to the question (1 = the same, 0 = nothing in"
                    + " common) at least for it to be found when it has none of the words; up to 0.1"
                    + " more where many passages are that near.")
        double minSimilarity) {
  public SearchConfig {
    atLeast("search.max-size", maxSize, 1);
    atLeast("search.max-depth", maxDepth, maxSize);
    atLeast("search.threads", threads, 1);
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("search.timeout is " + timeout + ": expected more than 0");
    }
    if (refresh.isNegative()) {
      throw new IllegalArgumentException("search.refresh is " + refresh + ": expected 0 or more");
    }
    if (!(minSimilarity >= 0 && minSimilarity <= 1)) {
      throw new IllegalArgumentException(
          "search.min-similarity is " + minSimilarity + ": expected 0 to 1");
    }
    if (forgetRemovals.isNegative()) {
      throw new IllegalArgumentException(
          "search.forget-removals is " + forgetRemovals + ": expected 0 or more");
    }
  }

  private static void atLeast(String key, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " is " + value + ": expected at least " + least);
    }
  }
}
