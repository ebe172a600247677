package io.tidemill.search;

import java.util.ArrayList;
import java.util.List;

/// One part of a query: something to look for, or one of several things.
///
/// @param needed whether a page without it is no hit, however well the rest fits
/// @param excluded whether a page with it is no hit
public record QueryClause(List<Part> parts, boolean needed, boolean excluded) {
  /// Where to look.
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

  /// One thing to look for.
  public sealed interface Part {
    Scope scope();

    String text();
  }

  /// A word in any of its forms.
  public record Word(Scope scope, String text) implements Part {}

  /// Words side by side, as they are.
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
