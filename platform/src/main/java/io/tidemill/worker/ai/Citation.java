package io.tidemill.worker.ai;

import io.tidemill.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// A passage that an answer cites.
///
/// @param similarity to the question: 1 = means the same
/// @param fit the similarity with a bonus for the question's words
record Citation(
    String url, String title, String crawlId, String passage, double similarity, double fit) {
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
