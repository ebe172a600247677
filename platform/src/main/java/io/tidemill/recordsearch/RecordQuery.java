package io.tidemill.recordsearch;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/// The user's text as Lucene queries. There is no syntax, so every text is valid.
///
/// Hits score by the kind of match and not by the frequency of words; among equals the newest comes
/// first.
final class RecordQuery {
  private static final int MOST_WORDS = 16;
  private static final int LONGEST_ID = 200;
  private static final int SHORTEST_PREFIX = 2;

  private static final float ID = 10_000;
  private static final float ID_PREFIX = 1_000;
  private static final float PHRASE = 100;
  private static final float ALL_WORDS = 10;
  private static final float ONE_PART = 1;

  private final String typed;
  private final String kind;
  private final List<String> words;

  /// @param kind empty for all
  RecordQuery(String text, String kind) {
    typed = text.strip().toLowerCase(Locale.ROOT);
    this.kind = kind;
    words = RecordAnalyzer.of(text, MOST_WORDS);
  }

  List<String> words() {
    return words;
  }

  /// Matches the id or all of the words; everything when the text is empty.
  Query strict() {
    if (typed.isEmpty()) return filtered(MatchAllDocsQuery.INSTANCE);
    var any = new BooleanQuery.Builder();
    var id = new Term(RecordFields.IDS, IndexedRecord.cut(typed, LONGEST_ID));
    any.add(scored(new TermQuery(id), ID), Occur.SHOULD);
    if (typed.length() >= SHORTEST_PREFIX) {
      any.add(scored(new PrefixQuery(id), ID_PREFIX), Occur.SHOULD);
    }
    if (words.size() > 1) any.add(scored(phrase(words), PHRASE), Occur.SHOULD);
    if (!words.isEmpty()) any.add(scored(all(), ALL_WORDS), Occur.SHOULD);
    return filtered(any.build());
  }

  /// Matches any of the parts between spaces; empty when [#strict] finds the same.
  Optional<Query> loose() {
    var parts = new LinkedHashSet<List<String>>();
    for (var part : typed.split("\\s+", -1)) {
      var found = RecordAnalyzer.of(part, MOST_WORDS);
      if (!found.isEmpty() && parts.size() < MOST_WORDS) parts.add(found);
    }
    if (parts.size() < 2) return Optional.empty();
    var any = new BooleanQuery.Builder();
    for (var part : parts) any.add(scored(phrase(part), ONE_PART), Occur.SHOULD);
    return Optional.of(filtered(any.build()));
  }

  private Query filtered(Query query) {
    if (kind.isEmpty()) return query;
    return new BooleanQuery.Builder()
        .add(query, Occur.MUST)
        .add(new TermQuery(new Term(RecordFields.KIND, kind)), Occur.FILTER)
        .build();
  }

  private static Query phrase(List<String> words) {
    return new PhraseQuery(RecordFields.WORDS, words.toArray(String[]::new));
  }

  // The last word may be incomplete.
  private Query all() {
    var all = new BooleanQuery.Builder();
    for (var word : words.subList(0, words.size() - 1)) all.add(word(word), Occur.FILTER);
    var last = words.getLast();
    var isPrefix = last.length() >= SHORTEST_PREFIX;
    var term = new Term(RecordFields.WORDS, last);
    all.add(isPrefix ? new PrefixQuery(term) : new TermQuery(term), Occur.FILTER);
    return all.build();
  }

  private static Query word(String word) {
    return new TermQuery(new Term(RecordFields.WORDS, word));
  }

  private static Query scored(Query query, float score) {
    return new BoostQuery(new ConstantScoreQuery(query), score);
  }
}
