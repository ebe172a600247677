package io.tidemill.store.search;

import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;

/// The weights of a search; chosen by what they do to judged queries (`RelevanceTest`).
final class Ranking {
  static final Similarity SIMILARITY =
      new BM25Similarity(
          Float.parseFloat(System.getProperty("w.k1", "1.2")),
          Float.parseFloat(System.getProperty("w.b", "0.6")));

  static final float TITLE = Float.parseFloat(System.getProperty("w.title", "0.2"));
  static final float REST = 0.1f;
  static final float URL = Float.parseFloat(System.getProperty("w.url", "0.1"));
  static final float NEAR = Float.parseFloat(System.getProperty("w.near", "0.2"));
  static final float TYPO = Float.parseFloat(System.getProperty("w.typo", "0.4"));

  /// How many of the best hits are looked at again for words that stand together.
  static final int SECOND_LOOK = 200;

  private Ranking() {}
}
