package io.tidemill.search;

import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;

/// The weights of a search, chosen by judged queries (`RelevanceTest`).
public final class RankingWeights {
  /// A word that differs from its stem counts twice in the average length of a text, but once in
  /// its own: these are 1.0 and 0.55 in a field of stems alone.
  public static final Similarity SIMILARITY = new BM25Similarity(1.25f, 0.65f);

  /// The weight of a word in the title, in addition to that in the text, which includes the title.
  public static final float TITLE = 0.3f;

  public static final float REST = 0.1f;
  public static final float URL = 0.1f;
  public static final float TOGETHER = 0.2f;
  public static final float TYPO = 0.4f;

  /// How many of the best hits are rescored with bonuses.
  public static final int RESCORED = 150;

  private RankingWeights() {}
}
