package io.tidemill.search;

import java.util.ArrayList;
import java.util.List;

/// One clause of a query: a part, or several alternative ones.
///
/// @param needed whether every hit must have it
/// @param excluded whether no hit may have it
public record QueryClause(List<Part> parts, boolean needed, boolean excluded) {
  /// The field of a part.
  public enum Scope {
    ANYWHERE(""),
    TITLE("title:"),
    URL("url:"),
    SITE("site:"),
    LANGUAGE("lang:"),
    TYPE("type:"),
    CRAWL("crawl:");

    private final String prefix;

    Scope(String prefix) {
      this.prefix = prefix;
    }

    String prefix() {
      return prefix;
    }

    public boolean isFilter() {
      return this == SITE || this == LANGUAGE || this == TYPE || this == CRAWL;
    }
  }

  /// A word, phrase or prefix.
  public sealed interface Part {
    Scope scope();

    String text();
  }

  /// A word in any of its forms.
  public record Word(Scope scope, String text) implements Part {}

  /// Words side by side, not stemmed.
  public record Phrase(Scope scope, String text) implements Part {}

  /// The beginning of a word.
  public record Prefix(Scope scope, String text) implements Part {}

  public QueryClause {
    parts = List.copyOf(parts);
  }

  static QueryClause word(Scope scope, String text, char sign) {
    return of(new Word(scope, text), scope != Scope.ANYWHERE, sign);
  }

  static QueryClause phrase(Scope scope, String text, char sign) {
    return of(new Phrase(scope, text), true, sign);
  }

  static QueryClause prefix(Scope scope, String text, char sign) {
    return of(new Prefix(scope, text), true, sign);
  }

  private static QueryClause of(Part part, boolean needed, char sign) {
    return new QueryClause(List.of(part), needed || sign == '+', sign == '-');
  }

  /// Whether the other may become an alternative of this one.
  boolean takes(QueryClause other) {
    return !excluded && !other.excluded;
  }

  QueryClause or(QueryClause other) {
    var all = new ArrayList<>(parts);
    all.addAll(other.parts);
    return new QueryClause(all, true, false);
  }

  /// Whether this is one plain word, which may be missing or misspelt.
  public boolean isPlainWord() {
    return !needed && !excluded;
  }

  public Part first() {
    return parts.getFirst();
  }
}
