package io.tidemill.search;

import io.tidemill.search.QueryClause.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Parses a query: words, `"phrases"`, `-not`, `+must`, `a OR b`, `wor*`, and `site:`, `title:`,
/// `url:`, `lang:`, `type:`, `crawl:` in front of a word or phrase.
///
/// No input is invalid: what is no valid operator is a word, or ignored. What would cost too much
/// is cut off (F50).
public final class QueryParser {
  /// The most characters that are read.
  public static final int MAX_LENGTH = 1_000;

  /// The most words, phrases and filters.
  public static final int MAX_CLAUSES = 64;

  private static final int SHORTEST_PREFIX = 2;
  private static final int MAX_PREFIXES = 8;

  private final String text;
  private int at;
  private int prefixes;

  private QueryParser(String text) {
    this.text = text;
  }

  /// The clauses of a query; none without a word.
  public static List<QueryClause> read(String text) {
    return new QueryParser(text.substring(0, Math.min(text.length(), MAX_LENGTH))).clauses();
  }

  private List<QueryClause> clauses() {
    var clauses = new ArrayList<QueryClause>();
    var alternative = false;
    while (skipSpace() && clauses.size() < MAX_CLAUSES) {
      if (isOperator("OR") || isOperator("|")) {
        alternative = !clauses.isEmpty();
      } else if (!isOperator("AND") && !isOperator("&&")) {
        var clause = clause();
        if (clause.isEmpty()) continue;
        add(clauses, clause.get(), alternative);
        alternative = false;
      }
    }
    return List.copyOf(clauses);
  }

  private static void add(List<QueryClause> clauses, QueryClause clause, boolean alternative) {
    if (alternative && clauses.getLast().takes(clause)) {
      clauses.add(clauses.removeLast().or(clause));
    } else {
      clauses.add(clause);
    }
  }

  private Optional<QueryClause> clause() {
    var sign = sign();
    var scope = scope();
    if (at < text.length() && isQuote(text.charAt(at))) return phrase(sign, scope);
    return word(sign, scope);
  }

  private char sign() {
    var c = text.charAt(at);
    var isSign = (c == '-' || c == '+') && at + 1 < text.length() && !isSpace(at + 1);
    if (!isSign) return ' ';
    at++;
    return c;
  }

  private Scope scope() {
    for (var scope : Scope.values()) {
      var name = scope.prefix();
      if (!name.isEmpty()
          && text.regionMatches(true, at, name, 0, name.length())
          && at + name.length() < text.length()
          && !isSpace(at + name.length())) {
        at += name.length();
        return scope;
      }
    }
    return Scope.ANYWHERE;
  }

  private Optional<QueryClause> phrase(char sign, Scope scope) {
    var start = ++at;
    while (at < text.length() && !isQuote(text.charAt(at))) at++;
    var phrase = text.substring(start, at).strip();
    if (at < text.length()) at++;
    if (!hasWord(phrase)) return Optional.empty();
    return Optional.of(QueryClause.phrase(scope, phrase, sign));
  }

  private Optional<QueryClause> word(char sign, Scope scope) {
    var start = at;
    while (at < text.length() && !isSpace(at) && !isQuote(text.charAt(at))) at++;
    var word = trim(text.substring(start, at));
    if (word.endsWith("*")) {
      var stem = word.replace("*", "");
      if (isPrefix(stem) && prefixes++ < MAX_PREFIXES)
        return Optional.of(QueryClause.prefix(scope, stem, sign));
      word = stem;
    }
    if (!hasWord(word)) return Optional.empty();
    return Optional.of(QueryClause.word(scope, word, sign));
  }

  /// Without brackets around it, and without wildcards in front (F50).
  private static String trim(String word) {
    var start = 0;
    var end = word.length();
    while (start < end && "()[]{}*?,;".indexOf(word.charAt(start)) >= 0) start++;
    while (end > start && "()[]{},;".indexOf(word.charAt(end - 1)) >= 0) end--;
    return word.substring(start, end);
  }

  private static boolean isPrefix(String stem) {
    return stem.codePointCount(0, stem.length()) >= SHORTEST_PREFIX
        && stem.codePoints().allMatch(Character::isLetterOrDigit);
  }

  private static boolean hasWord(String text) {
    return text.codePoints().anyMatch(Character::isLetterOrDigit);
  }

  private boolean skipSpace() {
    while (at < text.length() && isSpace(at)) at++;
    return at < text.length();
  }

  private boolean isOperator(String word) {
    var end = at + word.length();
    if (!text.startsWith(word, at) || (end < text.length() && !isSpace(end))) return false;
    at = end;
    return true;
  }

  private boolean isSpace(int index) {
    var c = text.charAt(index);
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c);
  }

  private static boolean isQuote(char c) {
    return c == '"'
        || c == '\u201c'
        || c == '\u201d'
        || c == '\u201e'
        || c == '\u00ab'
        || c == '\u00bb';
  }
}
