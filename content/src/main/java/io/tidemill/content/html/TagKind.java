package io.tidemill.content.html;

import java.util.HashMap;
import java.util.Map;

/// What a tag means for the text below it.
enum TagKind {
  /// Never shown, or never read as text.
  UNSEEN,
  /// Stays in the line.
  INLINE,
  LINK,
  BREAK,
  /// Can't be an aside, whatever its names say: themes write topics into the class of an article.
  PAGE,
  MAIN,
  ARTICLE,
  /// Stands beside the text, unless most of the text is in it.
  ASIDE,
  /// The headline of the page.
  TITLE,
  HEADING,
  PARAGRAPH,
  ITEM,
  /// A box: div, section and all unknown tags.
  BOX;

  private static final Map<String, TagKind> KINDS = new HashMap<>();

  static {
    put(
        UNSEEN,
        "head script style noscript template iframe object embed svg math canvas audio video select"
            + " textarea button input datalist map dialog nav menu");
    put(
        INLINE,
        "span b i em strong font u s small sub sup code abbr cite q mark time label ins del big tt"
            + " kbd var samp bdi bdo ruby rb rt rp wbr img acronym strike data dfn nobr");
    put(LINK, "a");
    put(BREAK, "br");
    put(PAGE, "#root html body");
    put(MAIN, "main");
    put(ARTICLE, "article");
    put(ASIDE, "aside footer figcaption figure form header address fieldset");
    put(TITLE, "h1");
    put(HEADING, "h2 h3 h4 h5 h6");
    put(PARAGRAPH, "p");
    put(ITEM, "li td th dd dt pre blockquote");
  }

  static TagKind of(String tag) {
    return KINDS.getOrDefault(tag, BOX);
  }

  boolean isCore() {
    return this == PAGE || this == MAIN || this == ARTICLE;
  }

  boolean isHeading() {
    return this == TITLE || this == HEADING;
  }

  /// Whether writers put running text in it.
  boolean isFlow() {
    return this == PARAGRAPH || this == ITEM || this == HEADING;
  }

  private static void put(TagKind kind, String tags) {
    for (var tag : tags.split(" ", -1)) KINDS.put(tag, kind);
  }
}
