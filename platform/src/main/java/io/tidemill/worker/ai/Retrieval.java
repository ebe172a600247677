package io.tidemill.worker.ai;

import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.Vectors;
import io.tidemill.store.search.PageSearch;
import io.tidemill.store.search.SearchAnswer.Hit;
import io.tidemill.store.search.SearchQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/// Finds the passages of crawled pages that answer a question.
///
/// Pages are found by words and meaning; of the best ones the nearest passages are taken. A page
/// that has no vectors yet, because it was crawled a moment ago, is read on the spot.
final class Retrieval {
  private static final int PAGES = 10;
  private static final int PASSAGES = 30;

  /// Reading a page costs a second or so: only the best are worth it.
  private static final int READ_PAGES = 3;

  private static final int READ_TEXT = 20_000;

  private final PageSearch pages;
  private final Embedder embedder;

  Retrieval(PageSearch pages, Embedder embedder) {
    this.pages = pages;
    this.embedder = embedder;
  }

  /// The passages nearest to the question, the nearest first.
  ///
  /// @param query what to search; its text is the question
  List<Citation> passages(SearchQuery query, int most) throws InterruptedException {
    // Waits for the model: the search below would not.
    var question = embedder.question(query.text());
    var hits = new LinkedHashMap<String, Hit>();
    for (var hit : pages.search(query.page(1, PAGES)).hits()) hits.put(hit.url(), hit);
    var found = new ArrayList<Citation>();
    for (var near : pages.passages(query.text(), hits.keySet(), PASSAGES)) {
      var hit = hits.get(near.url());
      if (hit != null) found.add(citation(hit, near.text(), near.similarity()));
    }
    var known = new HashSet<String>();
    for (var citation : found) known.add(citation.url());
    var unread = hits.values().stream().filter(hit -> !known.contains(hit.url())).toList();
    for (var hit : unread.subList(0, Math.min(READ_PAGES, unread.size()))) {
      found.addAll(read(hit, question));
    }
    found.sort(Comparator.comparingDouble(Citation::similarity).reversed());
    return found.subList(0, Math.min(most, found.size()));
  }

  private List<Citation> read(Hit hit, float[] question) throws InterruptedException {
    var page = pages.find(hit.url());
    if (page.isEmpty()) return List.of();
    var text = page.get().main();
    var beginning = text.substring(0, Math.min(text.length(), READ_TEXT));
    var read = new ArrayList<Citation>();
    for (var part : embedder.passages(hit.title(), beginning, () -> false)) {
      var passage = beginning.substring(part.passage().start(), part.passage().end());
      if (passage.isBlank()) continue;
      read.add(citation(hit, passage, Vectors.similarity(question, part.vector())));
    }
    return read;
  }

  private static Citation citation(Hit hit, String passage, double similarity) {
    return new Citation(hit.url(), hit.title(), hit.crawlId(), passage, similarity);
  }
}
