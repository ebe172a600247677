package io.tidemill.search.query;

import io.tidemill.lucene.LanguageAnalyzers;
import io.tidemill.lucene.SearchDeadline;
import io.tidemill.search.QueryClause;
import io.tidemill.search.QueryClause.Part;
import io.tidemill.search.QueryClause.Phrase;
import io.tidemill.search.QueryClause.Prefix;
import io.tidemill.search.QueryClause.Scope;
import io.tidemill.search.QueryClause.Word;
import io.tidemill.search.QueryParser;
import io.tidemill.search.RankingWeights;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.index.IndexViews;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.index.WordTokens;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/// The Lucene queries of a search: first for pages with (nearly) all words, then, if these are few,
/// for pages with some.
final class QueryPlan {
  private static final int BONUS_WORDS = 12;
  private static final int TYPO_WORDS = 4;
  private static final int SHORTEST_TYPO = 5;
  private static final int ALL_WORDS_UP_TO = 3;
  private static final int NEAR_SLOP = 2;

  private final SearchQuery query;
  private final List<QueryClause> clauses;
  private final WordQueries words;
  private final String language;
  private final List<String> plain;
  private final List<String> unknown = new ArrayList<>();

  QueryPlan(SearchQuery query, IndexViews.View view, SearchDeadline deadline) {
    this.query = query;
    this.clauses = QueryParser.read(query.text());
    this.language = language();
    var languages =
        language.isEmpty() ? view.languages() : List.of(LanguageAnalyzers.rulesFor(language, ""));
    this.words = new WordQueries(view.reader(), languages, deadline);
    this.plain = plainWords(languages.getFirst());
  }

  private String language() {
    if (!query.language().isEmpty()) return LanguageAnalyzers.code(query.language());
    return clauses.stream()
        .filter(clause -> !clause.excluded() && clause.first().scope() == Scope.LANGUAGE)
        .map(clause -> LanguageAnalyzers.code(clause.first().text()))
        .findFirst()
        .orElse("");
  }

  /// Words that may be missing, without stop words unless there are no others.
  private List<String> plainWords(String rules) {
    var all =
        clauses.stream()
            .filter(QueryClause::isPlainWord)
            .flatMap(clause -> parts(clause.first().text()))
            .toList();
    var telling = all.stream().filter(word -> !LanguageAnalyzers.isCommon(rules, word)).toList();
    var others = clauses.stream().anyMatch(c -> c.needed() && !c.excluded() && !isFilter(c));
    return telling.isEmpty() && !others ? all : telling;
  }

  /// `wi-fi` is two words that stand together; Chinese has no spaces and is one piece.
  private static Stream<String> parts(String word) {
    if (LanguageAnalyzers.isCjk(word)) return Stream.of(word);
    return WordTokens.positions(WordTokens.ANALYZER, word).stream().map(WordTokens.Position::exact);
  }

  private static boolean isFilter(QueryClause clause) {
    return clause.first().scope().isFilter();
  }

  WordQueries words() {
    return words;
  }

  /// Words that the index does not have.
  List<String> unknown() {
    return unknown;
  }

  List<String> plain() {
    return plain;
  }

  /// The words of the query without its syntax.
  String question() {
    return clauses.stream()
        .filter(clause -> !clause.excluded())
        .flatMap(clause -> clause.parts().stream())
        .filter(part -> part.scope() == Scope.ANYWHERE || part.scope() == Scope.TITLE)
        .map(Part::text)
        .collect(Collectors.joining(" "));
  }

  /// The filters and needed or excluded clauses; empty without any.
  Optional<Query> conditions() throws IOException {
    var conditions = new BooleanQuery.Builder();
    for (var clause : clauses) {
      if (clause.isPlainWord()) continue;
      conditions.add(any(clause), clause.excluded() ? Occur.MUST_NOT : Occur.FILTER);
    }
    addFilters(conditions);
    var built = conditions.build();
    if (built.clauses().isEmpty()) return Optional.empty();
    // Lucene finds nothing by exclusions alone.
    conditions.add(MatchAllDocsQuery.INSTANCE, Occur.FILTER);
    return Optional.of(conditions.build());
  }

  /// Pages with all words, of a long query with a good part of them.
  Query strict() throws IOException {
    var matches = new BooleanQuery.Builder();
    for (var word : plain) matches.add(match(word, false), Occur.SHOULD);
    matches.setMinimumNumberShouldMatch(least());
    return whole(matches, least() == 1);
  }

  /// Pages with any word, wherever on the page.
  Query loose() throws IOException {
    var matches = new BooleanQuery.Builder();
    for (var word : plain) matches.add(match(word, true), Occur.SHOULD);
    return whole(matches, true);
  }

  /// A short query needs every word; of a long one, a sentence, any word is enough.
  private int least() {
    var all = plain.size();
    return all <= ALL_WORDS_UP_TO ? all : 1;
  }

  private Query match(String word, boolean anywhere) throws IOException {
    var inText = words.word(PageFields.TEXT, word);
    var frequency = words.frequency(PageFields.TEXT, word);
    if (frequency > 0 && !anywhere) return inText;
    var any = new BooleanQuery.Builder();
    any.add(inText, Occur.SHOULD);
    any.add(new BoostQuery(words.word(PageFields.REST, word), RankingWeights.REST), Occur.SHOULD);
    if (frequency == 0 && mayBeTypo(word)) {
      any.add(words.similar(PageFields.TEXT, word), Occur.SHOULD);
    }
    return any.build();
  }

  private boolean mayBeTypo(String word) {
    if (word.length() < SHORTEST_TYPO || !word.chars().allMatch(Character::isLetter)) return false;
    if (!unknown.contains(word)) {
      if (unknown.size() >= TYPO_WORDS) return false;
      unknown.add(word);
    }
    return true;
  }

  private Query whole(BooleanQuery.Builder matches, boolean anyWord) throws IOException {
    var whole = new BooleanQuery.Builder();
    var scored = !plain.isEmpty();
    if (scored) {
      // The text includes the title, so that this adds no hits: as alternatives in one flat list,
      // they let Lucene skip most pages.
      addTitles(anyWord ? matches : whole);
      whole.add(matches.build(), Occur.MUST);
    }
    for (var clause : clauses) {
      if (clause.isPlainWord()) continue;
      whole.add(any(clause), occur(clause));
      scored |= clause.needed() && !clause.excluded() && !isFilter(clause);
    }
    if (!scored) {
      whole.add(MatchAllDocsQuery.INSTANCE, Occur.FILTER);
      whole.add(new FieldExistsQuery(PageFields.GONE), Occur.MUST_NOT);
    }
    addFilters(whole);
    return whole.build();
  }

  private void addTitles(BooleanQuery.Builder to) {
    for (var word : bonusWords()) {
      var inTitle = words.word(PageFields.TITLE, word);
      to.add(new BoostQuery(inTitle, RankingWeights.TITLE), Occur.SHOULD);
    }
  }

  private List<String> bonusWords() {
    return plain.subList(0, Math.min(plain.size(), BONUS_WORDS));
  }

  private static Occur occur(QueryClause clause) {
    if (clause.excluded()) return Occur.MUST_NOT;
    return isFilter(clause) ? Occur.FILTER : Occur.MUST;
  }

  private void addFilters(BooleanQuery.Builder whole) {
    if (!query.site().isEmpty()) whole.add(site(query.site()), Occur.FILTER);
    if (!query.language().isEmpty()) whole.add(language(query.language()), Occur.FILTER);
    if (!query.type().isEmpty()) whole.add(type(query.type()), Occur.FILTER);
    if (query.from() != null || query.to() != null) whole.add(dates(), Occur.FILTER);
  }

  private Query dates() {
    var from = millis(query.from(), Long.MIN_VALUE);
    var to = millis(query.to(), Long.MAX_VALUE);
    return LongPoint.newRangeQuery(PageFields.DATE, from, to == Long.MAX_VALUE ? to : to - 1);
  }

  private static long millis(@Nullable Instant at, long otherwise) {
    return at == null ? otherwise : PageFields.version(at) / 1_000;
  }

  private Query any(QueryClause clause) throws IOException {
    if (clause.parts().size() == 1) return part(clause.first());
    var any = new BooleanQuery.Builder();
    for (var part : clause.parts()) any.add(part(part), Occur.SHOULD);
    return any.build();
  }

  private Query part(Part part) throws IOException {
    return switch (part.scope()) {
      case SITE -> site(part.text());
      case LANGUAGE -> language(part.text());
      case TYPE -> type(part.text());
      case CRAWL -> new TermQuery(new Term(PageFields.CRAWL, part.text()));
      case URL -> words.allOf(PageFields.URL_WORDS, part.text());
      case TITLE -> words(PageFields.TITLE, part);
      case ANYWHERE -> anywhere(part);
    };
  }

  // A phrase or prefix may be in a heading beside the main text.
  private Query anywhere(Part part) throws IOException {
    var inText = words(PageFields.TEXT, part);
    if (part instanceof Word) return inText;
    return new BooleanQuery.Builder()
        .add(inText, Occur.SHOULD)
        .add(new BoostQuery(words(PageFields.REST, part), RankingWeights.REST), Occur.SHOULD)
        .build();
  }

  private Query words(String field, Part part) throws IOException {
    return switch (part) {
      case Word(var _, var text) -> words.word(field, text);
      case Phrase(var _, var text) -> words.phrase(field, text);
      case Prefix(var _, var text) -> words.prefix(field, text);
    };
  }

  private static Query site(String site) {
    var host = site.toLowerCase(Locale.ROOT).replaceFirst("^https?://", "").replaceFirst("/.*", "");
    return new TermQuery(new Term(PageFields.DOMAINS, host.replaceFirst("^\\*?\\.", "")));
  }

  private static Query language(String language) {
    return new TermQuery(new Term(PageFields.LANGUAGE, LanguageAnalyzers.code(language)));
  }

  private static Query type(String type) {
    var lower = type.toLowerCase(Locale.ROOT);
    var field = lower.contains("/") ? PageFields.TYPE : PageFields.KIND;
    return new TermQuery(new Term(field, lower));
  }

  /// Bonuses for words of the query that stand together or are in the URL.
  Query bonuses() {
    var bonuses = new BooleanQuery.Builder();
    var found = bonusWords();
    for (var i = 0; i + 1 < found.size(); i++) {
      var pair = words.near(PageFields.TEXT, found.subList(i, i + 2), NEAR_SLOP);
      bonuses.add(new BoostQuery(pair, RankingWeights.TOGETHER), Occur.SHOULD);
    }
    for (var word : found) {
      var inUrl = new TermQuery(new Term(PageFields.URL_WORDS, word));
      bonuses.add(new BoostQuery(new ConstantScoreQuery(inUrl), RankingWeights.URL), Occur.SHOULD);
    }
    return bonuses.build();
  }
}
