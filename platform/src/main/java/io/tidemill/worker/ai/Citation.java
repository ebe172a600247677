package io.tidemill.worker.ai;

import io.tidemill.json.Json;
import java.util.Comparator;
import tools.jackson.databind.node.ObjectNode;

/// A passage that an answer cites.
///
/// @param similarity to the question: 1 = means the same
/// @param fit the similarity with a bonus for the question's words
/// @param exact whether it has rare words of the question: then its similarity does not matter
record Citation(
    String url,
    String title,
    String crawlId,
    String passage,
    double similarity,
    double fit,
    boolean exact) {
  static final Comparator<Citation> BEST_FIRST =
      Comparator.comparing(Citation::exact).thenComparingDouble(Citation::fit).reversed();

  /// @param number by which the answer names it
  ObjectNode json(int number) {
    return Json.object()
        .put("n", number)
        .put("url", url)
        .put("title", title)
        .put("crawl_id", crawlId)
        .put("passage", passage)
        .put("similarity", Math.round(similarity * 1e4) / 1e4);
  }
}
