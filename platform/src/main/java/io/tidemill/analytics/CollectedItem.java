package io.tidemill.analytics;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One collected item with its analysis.
///
/// @param position in its batch, from 0
/// @param publishedAt null when it is unknown
public record CollectedItem(
    String projectId,
    String platform,
    String id,
    int position,
    String url,
    String title,
    String text,
    Author author,
    Reactions reactions,
    Findings findings,
    @Nullable Instant publishedAt) {
  /// The author.
  public record Author(String id, String name, long followers, boolean verified) {}

  /// The reactions of others.
  public record Reactions(long views, long likes, long comments, long shares, long saves) {}

  /// The result of the analysis.
  ///
  /// @param language ISO 639-1; empty when there is too little text to say, or it is of none we
  ///   know
  /// @param sentiment -1 to 1; null for languages without a lexicon
  /// @param impact 0 to 100
  /// @param fingerprint of the text; 0 when it is too short to be compared
  public record Findings(
      String language,
      @Nullable Double sentiment,
      List<Keyword> keywords,
      double impact,
      long fingerprint) {
    public Findings {
      keywords = List.copyOf(keywords);
    }
  }

  /// A word or a few that say what a text is about.
  public record Keyword(String phrase, double score) {}
}
