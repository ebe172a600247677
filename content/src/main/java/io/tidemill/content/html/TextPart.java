package io.tidemill.content.html;

import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/// An element that makes lines of its own, and the run of blocks below it.
final class TextPart {
  final Element element;
  final @Nullable TextPart parent;
  final @Nullable TextPart article;
  final TagKind kind;
  final int hints;
  final int first;
  int end;
  boolean aside;
  boolean titled;

  /// @param first the number of the block that begins with it
  TextPart(Element element, @Nullable TextPart parent, TagKind kind, int hints, int first) {
    this.element = element;
    this.parent = parent;
    this.kind = kind;
    this.hints = hints;
    this.first = first;
    this.end = first;
    this.article = kind == TagKind.ARTICLE ? this : parent == null ? null : parent.article;
  }

  boolean has(int hint) {
    return (hints & hint) != 0;
  }

  boolean isBody() {
    return has(NameHints.BODY);
  }

  boolean isArticle() {
    return kind == TagKind.ARTICLE;
  }

  boolean isEmpty() {
    return end == first;
  }

  int size() {
    return end - first;
  }

  boolean isWithin(TextPart other) {
    return first >= other.first && end <= other.end;
  }
}
