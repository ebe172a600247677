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

/// Lucene queries for single words and phrases, by the rules of the languages that are searched.
///
/// It remembers which term stands for which word: for highlights and explanations.
final class WordQueries {
  private static final int MAX_PREFIX_TERMS = 256;
  private static final int MAX_TYPO_TERMS = 12;
  private static final int MAX_PLACES = 64;

  private final IndexReader reader;
  private final List<String> languages;
  private final SearchDeadline deadline;
  private final Map<String, String> wordOfTerm = new LinkedHashMap<>();
  private final Set<String> highlights = new LinkedHashSet<>();
  private final Set<String> highlightPrefixes = new LinkedHashSet<>();

  /// @param languages by whose rules words are reduced; the first is the most likely one
  WordQueries(IndexReader reader, List<String> languages, SearchDeadline deadline) {
    this.reader = reader;
    this.languages = languages;
    this.deadline = deadline;
  }

  /// The forms of a text in each language that reads it differently.
  private Set<List<WordTokens.Place>> readings(String text) {
    var readings = new LinkedHashSet<List<WordTokens.Place>>();
    var rules =
        LanguageAnalyzers.isCjk(text) ? List.of(LanguageAnalyzers.rulesFor("", text)) : languages;
    for (var language : rules) {
      var places = WordTokens.places(LanguageAnalyzers.analyzer(language), text);
      if (!places.isEmpty() && places.size() <= MAX_PLACES) readings.add(places);
    }
    return readings;
  }

  /// A word in any of its forms; a "word" that has several parts stands for them side by side.
  Query word(String field, String word) {
    var single = new LinkedHashSet<String>();
    var others = new BooleanQuery.Builder();
    var hasOthers = false;
    for (var places : readings(word)) {
      if (places.size() == 1) {
        single.add(places.getFirst().stem());
      } else {
        others.add(phrase(field, places, false, 0), Occur.SHOULD);
        hasOthers = true;
      }
      places.forEach(place -> note(place.stem(), word));
    }
    if (!hasOthers) return anyOf(field, single);
    if (!single.isEmpty()) others.add(anyOf(field, single), Occur.SHOULD);
    return others.build();
  }

  /// Words side by side, as they are written.
  Query phrase(String field, String text) {
    var any = new BooleanQuery.Builder();
    var readings = readings(text);
    for (var places : readings) {
      any.add(phrase(field, places, true, 0), Occur.SHOULD);
      places.forEach(place -> note(place.exact(), plain(place.exact())));
    }
    if (readings.isEmpty()) return new MatchNoDocsQuery("no word");
    var query = any.build();
    return query.clauses().size() == 1 ? query.clauses().getFirst().query() : query;
  }

  /// All words of a text in a field of plain words, in any order.
  Query allOf(String field, String text) {
    var all = new BooleanQuery.Builder();
    for (var place :
        WordTokens.places(WordTokens.ANALYZER, text.replaceAll("[^\\p{L}\\p{N}]+", " "))) {
      all.add(new TermQuery(new Term(field, place.stem())), Occur.MUST);
    }
    return all.build();
  }

  /// Words near each other, in any of their forms.
  Query near(String field, List<String> words, int slop) {
    var places =
        WordTokens.places(
            LanguageAnalyzers.analyzer(languages.getFirst()), String.join(" ", words));
    return phrase(field, places, false, slop);
  }

  private static Query phrase(
      String field, List<WordTokens.Place> places, boolean exact, int slop) {
    if (places.isEmpty()) return new MatchNoDocsQuery("no word");
    if (places.size() == 1) return new TermQuery(term(field, places.getFirst(), exact));
    var phrase = new MultiPhraseQuery.Builder().setSlop(slop);
    for (var place : places) phrase.add(term(field, place, exact));
    return phrase.build();
  }

  private static Term term(String field, WordTokens.Place place, boolean exact) {
    return new Term(field, exact ? place.exact() : place.stem());
  }

  private static Query anyOf(String field, Set<String> terms) {
    if (terms.isEmpty()) return new MatchNoDocsQuery("no word");
    if (terms.size() == 1) return new TermQuery(new Term(field, terms.iterator().next()));
    var synonyms = new SynonymQuery.Builder(field);
    terms.forEach(term -> synonyms.addTerm(new Term(field, term)));
    return synonyms.build();
  }

  /// Words that begin so: the most frequent ones, if there are very many.
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

  /// How many pages have a word, in any of its forms.
  int frequency(String field, String word) throws IOException {
    var most = 0;
    for (var places : readings(word)) {
      for (var place : places) {
        most = Math.max(most, reader.docFreq(new Term(field, place.stem())));
      }
    }
    return most;
  }

  /// Words that differ in a letter or two; counts less than a hit.
  Query similar(String field, String word) {
    var folded = WordTokens.fold(word);
    var edits = folded.length() >= 9 ? 2 : 1;
    var any = new BooleanQuery.Builder();
    any.add(fuzzy(field, stem(folded), edits, 1), Occur.SHOULD);
    any.add(fuzzy(field, ExactWordFilter.MARK + folded, edits, 2), Occur.SHOULD);
    return new BoostQuery(any.build(), RankingWeights.TYPO);
  }

  private String stem(String word) {
    var places = WordTokens.places(LanguageAnalyzers.analyzer(languages.getFirst()), word);
    return places.isEmpty() ? word : places.getFirst().stem();
  }

  private static Query fuzzy(String field, String word, int edits, int prefix) {
    return new FuzzyQuery(new Term(field, word), edits, prefix, MAX_TYPO_TERMS, true);
  }

  private void note(String term, String word) {
    highlights.add(term);
    wordOfTerm.putIfAbsent(term, word);
  }

  /// The word that somebody typed for a term of the index.
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
