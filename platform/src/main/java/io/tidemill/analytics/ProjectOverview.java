package io.tidemill.analytics;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A project at one look.
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
  /// @param failed items that could not be had or not be understood
  public record Totals(long items, long batches, long failed) {}

  /// How many, and how they feel.
  ///
  /// @param sentiment mean of those that have one; null when none has
  public record Feel(
      long items, @Nullable Double sentiment, long positive, long neutral, long negative) {}

  /// The items that have something in common.
  public record Share(String name, Feel feel) {}

  /// The items of an hour, a day, a week or a month.
  public record Slot(Instant at, Feel feel) {}

  /// @param score mean of its scores
  public record Word(String keyword, long items, double score, @Nullable Double sentiment) {}

  /// How often something went wrong.
  public record FailureShare(String code, String category, long items) {}
}
