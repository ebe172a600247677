package io.tidemill.analytics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The class of a sentiment score.
public enum SentimentClass {
  POSITIVE("sentiment >= 0.05"),
  NEUTRAL("(sentiment > -0.05 AND sentiment < 0.05)"),
  NEGATIVE("sentiment <= -0.05"),
  /// For languages without a lexicon.
  UNKNOWN("sentiment IS NULL");

  private final String condition;

  SentimentClass(String condition) {
    this.condition = condition;
  }

  String condition() {
    return condition;
  }

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static SentimentClass of(@Nullable Double sentiment) {
    if (sentiment == null) return UNKNOWN;
    if (sentiment >= 0.05) return POSITIVE;
    return sentiment <= -0.05 ? NEGATIVE : NEUTRAL;
  }
}
