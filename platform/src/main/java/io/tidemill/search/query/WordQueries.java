package io.tidemill.search.query;

import io.tidemill.lucene.ExactWordFilter;
import io.tidemill.lucene.IndexVocabulary;
import io.tidemill.lucene.LanguageAnalyzers;
import io.tidemill.lucene.SearchDeadline;
import io.tidemill.search.RankingWeights;
import io.tidemill.search.index.WordTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/// Lucene queries for words and phrases, analysed for the languages of the index.
///
/// It keeps the terms of each word for highlights and explanations.
final class WordQueries {
  private static final int MAX_PREFIX_TERMS = 256;
  private static final int MAX_TYPO_TERMS = 12;
  private static final int MAX_POSITIONS = 64;

  private final IndexReader reader;
  private final List<String> languages;
  private final SearchDeadline deadline;
  private final Map<String, String> wordOfTerm = new LinkedHashMap<>();
  private final Set<String> highlights = new LinkedHashSet<>();
  private final Set<String> highlightPrefixes = new LinkedHashSet<>();

  /// @param languages of the analyzers, the most frequent first
  WordQueries(IndexReader reader, List<String> languages, SearchDeadline deadline) {
    this.reader = reader;
    this.languages = languages;
    this.deadline = deadline;
  }

  /// The different analyses of a text.
  private Set<List<WordTokens.Position>> readings(String text) {
    var readings = new LinkedHashSet<List<WordTokens.Position>>();
    var rules =
        LanguageAnalyzers.isCjk(text) ? List.of(LanguageAnalyzers.rulesFor("", text)) : languages;
    for (var language : rules) {
      var positions = WordTokens.positions(LanguageAnalyzers.analyzer(language), text);
      if (!positions.isEmpty() && positions.size() <= MAX_POSITIONS) readings.add(positions);
    }
    return readings;
  }

  /// A word in any of its forms; a word of several parts, such as `wi-fi`, is a phrase.
  Query word(String field, String word) {
    var single = new LinkedHashSet<String>();
    var others = new BooleanQuery.Builder();
    var hasOthers = false;
    for (var positions : readings(word)) {
      if (positions.size() == 1) {
        single.add(positions.getFirst().stem());
      } else {
        others.add(phrase(field, positions, false, 0), Occur.SHOULD);
        hasOthers = true;
      }
      positions.forEach(position -> note(position.stem(), word));
    }
    if (!hasOthers) return anyOf(field, single);
    if (!single.isEmpty()) others.add(anyOf(field, single), Occur.SHOULD);
    return others.build();
  }

  /// Words side by side, as they are written.
  Query phrase(String field, String text) {
    var any = new BooleanQuery.Builder();
    var readings = readings(text);
    for (var positions : readings) {
      any.add(phrase(field, positions, true, 0), Occur.SHOULD);
      positions.forEach(position -> note(position.exact(), plain(position.exact())));
    }
    if (readings.isEmpty()) return new MatchNoDocsQuery("no word");
    var query = any.build();
    return query.clauses().size() == 1 ? query.clauses().getFirst().query() : query;
  }

  /// All words of a text in a field of plain words, in any order.
  Query allOf(String field, String text) {
    var all = new BooleanQuery.Builder();
    for (var position :
        WordTokens.positions(WordTokens.ANALYZER, text.replaceAll("[^\\p{L}\\p{N}]+", " "))) {
      all.add(new TermQuery(new Term(field, position.stem())), Occur.MUST);
    }
    return all.build();
  }

  /// Words near each other, in any of their forms.
  Query near(String field, List<String> words, int slop) {
    var positions =
        WordTokens.positions(
            LanguageAnalyzers.analyzer(languages.getFirst()), String.join(" ", words));
    return phrase(field, positions, false, slop);
  }

  private static Query phrase(
      String field, List<WordTokens.Position> positions, boolean exact, int slop) {
    if (positions.isEmpty()) return new MatchNoDocsQuery("no word");
    if (positions.size() == 1) return new TermQuery(term(field, positions.getFirst(), exact));
    var phrase = new MultiPhraseQuery.Builder().setSlop(slop);
    for (var position : positions) phrase.add(term(field, position, exact));
    return phrase.build();
  }

  private static Term term(String field, WordTokens.Position position, boolean exact) {
    return new Term(field, exact ? position.exact() : position.stem());
  }

  private static Query anyOf(String field, Set<String> terms) {
    if (terms.isEmpty()) return new MatchNoDocsQuery("no word");
    if (terms.size() == 1) return new TermQuery(new Term(field, terms.iterator().next()));
    var synonyms = new SynonymQuery.Builder(field);
    terms.forEach(term -> synonyms.addTerm(new Term(field, term)));
    return synonyms.build();
  }

  /// Words with a prefix, at most the most frequent ones.
  Query prefix(String field, String prefix) throws IOException {
    var folded = WordTokens.fold(prefix);
    highlightPrefixes.add(folded);
    var terms = new ArrayList<BytesRef>();
    collect(field, folded, terms);
    collect(field, ExactWordFilter.MARK + folded, terms);
    if (terms.isEmpty()) return new MatchNoDocsQuery("no word begins so");
    return new ConstantScoreQuery(new TermInSetQuery(field, terms));
  }

  private void collect(String field, String prefix, List<BytesRef> into) throws IOException {
    into.addAll(
        IndexVocabulary.beginningWith(reader, field, prefix, MAX_PREFIX_TERMS, deadline).keySet());
  }

  /// The number of pages with a word, in any of its forms.
  int frequency(String field, String word) throws IOException {
    var most = 0;
    for (var positions : readings(word)) {
      for (var position : positions) {
        most = Math.max(most, reader.docFreq(new Term(field, position.stem())));
      }
    }
    return most;
  }

  /// Words with one or two other letters, at a lower weight.
  Query similar(String field, String word) {
    var folded = WordTokens.fold(word);
    var edits = folded.length() >= 9 ? 2 : 1;
    var any = new BooleanQuery.Builder();
    any.add(fuzzy(field, stem(folded), edits, 1), Occur.SHOULD);
    any.add(fuzzy(field, ExactWordFilter.MARK + folded, edits, 2), Occur.SHOULD);
    return new BoostQuery(any.build(), RankingWeights.TYPO);
  }

  private String stem(String word) {
    var positions = WordTokens.positions(LanguageAnalyzers.analyzer(languages.getFirst()), word);
    return positions.isEmpty() ? word : positions.getFirst().stem();
  }

  private static Query fuzzy(String field, String word, int edits, int prefix) {
    return new FuzzyQuery(new Term(field, word), edits, prefix, MAX_TYPO_TERMS, true);
  }

  private void note(String term, String word) {
    highlights.add(term);
    wordOfTerm.putIfAbsent(term, word);
  }

  /// The typed word of a term.
  String wordOf(String term) {
    return wordOfTerm.getOrDefault(term, plain(term));
  }

  Set<String> highlights() {
    return highlights;
  }

  Set<String> highlightPrefixes() {
    return highlightPrefixes;
  }

  private static String plain(String term) {
    return term.startsWith("=") ? term.substring(1) : term;
  }
}
