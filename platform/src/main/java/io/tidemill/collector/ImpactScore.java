package io.tidemill.collector;

import io.tidemill.analytics.CollectedItem.Author;
import io.tidemill.analytics.CollectedItem.Reactions;

/// How much a post moved, from 0 to 100: what people did with it, weighed by what it costs them,
/// and how far its author reaches. Each ten times as much adds the same.
final class ImpactScore {
  private static final double SCALE = 12.5; // a hundred million is everything
  private static final double VERIFIED = 1.2;

  private ImpactScore() {}

  static double of(Reactions reactions, Author author) {
    var done =
        0.01 * (double) reactions.views()
            + (double) reactions.likes()
            + 2.0 * (double) reactions.comments()
            + 3.0 * (double) reactions.saves()
            + 5.0 * (double) reactions.shares();
    var reach =
        (1 + Math.log10(1 + (double) author.followers()) / 5) * (author.verified() ? VERIFIED : 1);
    var impact = SCALE * Math.log10(1 + done * reach);
    return Math.round(Math.clamp(impact, 0, 100) * 10) / 10.0;
  }
}
