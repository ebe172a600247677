package io.tidemill.worker.ai;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// How questions are answered from what was crawled, read from keys `rag.*`.
@Section("rag")
public record RagConfig(
    @Setting(
            value = "0.35",
            doc =
                "How near a passage must be to the question (1 = means the same, 0 = nothing in common)"
                    + " to be used, where words of the question in it count a little, too; with no such"
                    + " passage, and none that has a rare word of the question, it is not answered.")
        double minSimilarity,
    @Setting(value = "5", doc = "Passages that an answer is made of at most.") int passages) {
  public RagConfig {
    if (!(minSimilarity >= 0 && minSimilarity <= 1)) {
      throw new IllegalArgumentException(
          "rag.min-similarity is " + minSimilarity + ": expected 0 to 1");
    }
    if (passages < 1 || passages > 50) {
      throw new IllegalArgumentException("rag.passages is " + passages + ": expected 1 to 50");
    }
  }
}
