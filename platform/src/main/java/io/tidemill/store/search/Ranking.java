package io.tidemill.store.search;

import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;

/// The weights of a search; chosen by what they do to judged queries (`RelevanceTest`).
final class Ranking {
  /// A word that differs from its stem counts twice in the average length of a text, but once in
  /// its own: these are 1.0 and 0.55 in a field of stems alone.
  static final Similarity SIMILARITY = new BM25Similarity(1.25f, 0.65f);

  /// What a word is worth in the title, on top of its worth in the text, of which the title is a
  /// part.
  static final float TITLE = 0.3f;

  static final float REST = 0.1f;
  static final float URL = 0.1f;
  static final float TOGETHER = 0.2f;
  static final float TYPO = 0.4f;

  /// How many of the best hits are looked at again for bonuses.
  static final int SECOND_LOOK = 150;

  private Ranking() {}
}
