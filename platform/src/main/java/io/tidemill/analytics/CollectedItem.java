package io.tidemill.analytics;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing that was collected, and what was found out about it.
///
/// @param position in its batch, from 0
/// @param publishedAt null when nobody knows
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
  /// Who made it.
  public record Author(String id, String name, long followers, boolean verified) {}

  /// What others did with it.
  public record Reactions(long views, long likes, long comments, long shares, long saves) {}

  /// What we think of it.
  ///
  /// @param language ISO 639-1; empty when there is too little text to say
  /// @param sentiment -1 to 1; null for languages that we have no lexicon of
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
