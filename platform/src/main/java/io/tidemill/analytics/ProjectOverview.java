package io.tidemill.analytics;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The overview of a project.
public record ProjectOverview(
    Totals totals,
    long duplicates,
    @Nullable Instant latest,
    List<Share> platforms,
    List<Share> languages,
    List<Slot> times,
    List<Word> keywords,
    List<StoredItem> items,
    List<FailureShare> failures) {
  public ProjectOverview {
    platforms = List.copyOf(platforms);
    languages = List.copyOf(languages);
    times = List.copyOf(times);
    keywords = List.copyOf(keywords);
    items = List.copyOf(items);
    failures = List.copyOf(failures);
  }

  /// @param items that were analysed, each counted once
  /// @param failed items that could not be collected or parsed
  public record Totals(long items, long batches, long failed) {}

  /// The number of items and their sentiment.
  ///
  /// @param sentiment mean of those that have one; null when none has
  public record SentimentCounts(
      long items, @Nullable Double sentiment, long positive, long neutral, long negative) {}

  /// The items that have something in common.
  public record Share(String name, SentimentCounts counts) {}

  /// The items of an hour, a day, a week or a month.
  public record Slot(Instant at, SentimentCounts counts) {}

  /// @param score mean of its scores
  public record Word(String keyword, long items, double score, @Nullable Double sentiment) {}

  /// The number of failures of one kind.
  public record FailureShare(String code, String category, long items) {}
}
