package io.tidemill.worker.ai;

import io.tidemill.api.JobFailure;
import io.tidemill.api.RetryLater;
import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingPriority;
import io.tidemill.embedding.Vectors;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchQuery.Mode;
import io.tidemill.search.SearchResult.Hit;
import io.tidemill.search.query.PageSearch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/// Finds the passages of crawled pages that answer a question.
///
/// Pages are searched by words and meaning, and by words alone, so that vectors can't drown a word;
/// of the best pages the passages nearest to the question count. A page that has no vectors yet is
/// embedded here. Pages with a rare word of the question are read around that word ([RareWords]).
final class PassageRetrieval {
  private static final int PAGES = 10;

  /// Of the best pages by words alone.
  private static final int BY_WORDS = 3;

  /// Of one page, so that an answer has several sources.
  private static final int PASSAGES = 4;

  /// Of one page that are compared.
  private static final int NEAR_PASSAGES = 16;

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
    var rare = RareWords.of(question, query, pages, embedder);
    var asked = new Asked(question, vector, new QuestionWords(question), rare);
    var found = new ArrayList<Citation>();
    var unread = READ_PAGES;
    for (var hit : candidates(answer.hits(), query, rare)) {
      var near = near(hit, asked);
      if (near.isEmpty() && unread-- > 0) near = read(hit, beginning(hit), asked);
      found.addAll(near);
      if (rare.isOn(hit) && near.stream().noneMatch(Citation::exact)) {
        found.addAll(read(hit, rare.around(text(hit)), asked));
      }
    }
    return new Found(best(found, most), answer.total());
  }

  /// A question as words and as a vector.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Asked(String question, float[] vector, QuestionWords words, RareWords rare) {}

  private Collection<Hit> candidates(List<Hit> best, SearchQuery query, RareWords rare) {
    var candidates = new LinkedHashMap<String, Hit>();
    best.forEach(hit -> candidates.put(hit.identity(), hit));
    rare.pages().forEach(hit -> candidates.putIfAbsent(hit.identity(), hit));
    for (var hit : pages.search(query.by(Mode.KEYWORD).page(1, BY_WORDS)).hits()) {
      candidates.putIfAbsent(hit.identity(), hit);
    }
    return candidates.values();
  }

  // Several pages may have the same text.
  private static List<Citation> best(List<Citation> found, int most) {
    var texts = new HashSet<String>();
    return found.stream()
        .sorted(Citation.BEST_FIRST)
        .filter(citation -> texts.add(citation.passage()))
        .limit(most)
        .toList();
  }

  private List<Citation> near(Hit hit, Asked asked) {
    return pages.passages(asked.question(), List.of(hit.identity()), NEAR_PASSAGES).stream()
        .map(passage -> citation(hit, passage.text(), passage.similarity(), asked))
        .sorted(Citation.BEST_FIRST)
        .limit(PASSAGES)
        .toList();
  }

  private String text(Hit hit) {
    return pages.find(hit.identity()).map(PageDocument::main).orElse("");
  }

  private String beginning(Hit hit) {
    var text = text(hit);
    return text.substring(0, Math.min(text.length(), READ_TEXT));
  }

  private List<Citation> read(Hit hit, String text, Asked asked) throws InterruptedException {
    var read = new ArrayList<Citation>();
    for (var part : embedder.passages(hit.title(), text, EmbeddingPriority.ANSWER, () -> false)) {
      var passage = text.substring(part.passage().start(), part.passage().end());
      if (passage.isBlank()) continue;
      read.add(citation(hit, passage, Vectors.similarity(asked.vector(), part.vector()), asked));
    }
    return read;
  }

  private static Citation citation(Hit hit, String passage, double similarity, Asked asked) {
    var text = hit.title() + "\n" + passage;
    var fit = similarity + WORDS * asked.words().shareIn(text);
    return new Citation(
        hit.url(), hit.title(), hit.crawlId(), passage, similarity, fit, asked.rare().areIn(text));
  }
}
