package io.tidemill.worker.ai;

import io.tidemill.api.JobFailure;
import io.tidemill.api.RetryLater;
import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingPriority;
import io.tidemill.embedding.Vectors;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchResult.Hit;
import io.tidemill.search.query.PageSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/// Finds the passages of crawled pages that answer a question.
///
/// Pages are searched by words and meaning; of the best pages the nearest passages count. A page
/// that has no vectors yet is embedded here.
final class PassageRetrieval {
  private static final int PAGES = 10;

  /// Of one page, so that an answer has several sources.
  private static final int PASSAGES = 4;

  /// Pages to embed; each takes about a second.
  private static final int READ_PAGES = 3;

  private static final int READ_TEXT = 20_000;

  /// The bonus of a passage with all words of the question.
  private static final double WORDS = 0.15;

  private final PageSearch pages;
  private final Embedder embedder;

  PassageRetrieval(PageSearch pages, Embedder embedder) {
    this.pages = pages;
    this.embedder = embedder;
  }

  /// @param passages the best first
  /// @param pages number of pages found
  record Found(List<Citation> passages, long pages) {}

  Found find(String question, SearchQuery query, int most)
      throws JobFailure, RetryLater, InterruptedException {
    // Waits for the model; the search below does not.
    var vector = embedder.question(question);
    var answer = pages.search(query.page(1, PAGES));
    if (answer.timedOut()) throw new RetryLater("the search took too long (search.timeout)");
    if (answer.total() == 0 && pages.stats().documents() == 0) {
      throw new JobFailure(
          "NO_PAGES",
          "the index of this worker is empty: nothing was crawled yet, or the index is elsewhere and"
              + " search.dir must name it");
    }
    var words = new QuestionWords(question);
    var found = new ArrayList<Citation>();
    var unread = READ_PAGES;
    for (var hit : answer.hits()) {
      var near = pages.passages(question, List.of(hit.identity()), PASSAGES);
      for (var passage : near) {
        found.add(citation(hit, passage.text(), passage.similarity(), words));
      }
      if (near.isEmpty() && unread-- > 0) found.addAll(read(hit, vector, words));
    }
    return new Found(best(found, most), answer.total());
  }

  // Several pages may have the same text.
  private static List<Citation> best(List<Citation> found, int most) {
    var texts = new HashSet<String>();
    return found.stream()
        .sorted(Comparator.comparingDouble(Citation::fit).reversed())
        .filter(citation -> texts.add(citation.passage()))
        .limit(most)
        .toList();
  }

  private List<Citation> read(Hit hit, float[] question, QuestionWords words)
      throws InterruptedException {
    var page = pages.find(hit.identity());
    if (page.isEmpty()) return List.of();
    var text = page.get().main();
    var beginning = text.substring(0, Math.min(text.length(), READ_TEXT));
    var read = new ArrayList<Citation>();
    for (var part :
        embedder.passages(hit.title(), beginning, EmbeddingPriority.ANSWER, () -> false)) {
      var passage = beginning.substring(part.passage().start(), part.passage().end());
      if (passage.isBlank()) continue;
      read.add(citation(hit, passage, Vectors.similarity(question, part.vector()), words));
    }
    return read;
  }

  private static Citation citation(
      Hit hit, String passage, double similarity, QuestionWords words) {
    var fit = similarity + WORDS * words.shareIn(hit.title() + "\n" + passage);
    return new Citation(hit.url(), hit.title(), hit.crawlId(), passage, similarity, fit);
  }
}
