package io.tidemill.content.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Attributes;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

/// The visible blocks of a page in the order of reading, and the parts they lie in.
///
/// One pass without recursion, so that depth costs no stack.
final class TextSurvey implements NodeFilter {
  private static final Set<String> ASIDE_ROLES =
      Set.of(
          "navigation",
          "complementary",
          "contentinfo",
          "banner",
          "search",
          "dialog",
          "alertdialog",
          "alert",
          "menu",
          "menubar",
          "toolbar",
          "tooltip");

  final List<TextBlock> blocks = new ArrayList<>();

  /// In the order of their start tags: parents before children.
  final List<TextPart> parts = new ArrayList<>();

  private @Nullable TextPart part;
  private @Nullable TextBlock block;
  private @Nullable Node link;
  private boolean broken;

  private TextSurvey() {}

  static TextSurvey of(Document document) {
    var survey = new TextSurvey();
    NodeTraversor.filter(survey, document);
    return survey;
  }

  @Override
  public FilterResult head(Node node, int depth) {
    if (node instanceof TextNode text) {
      read(text);
      return FilterResult.CONTINUE;
    }
    return node instanceof Element element ? open(element) : FilterResult.SKIP_ENTIRELY;
  }

  @Override
  public FilterResult tail(Node node, int depth) {
    if (node.equals(link)) link = null;
    if (part != null && node.equals(part.element)) {
      endBlock();
      part.end = blocks.size();
      part = part.parent;
    }
    return FilterResult.CONTINUE;
  }

  private void read(TextNode text) {
    if (block == null) {
      if (part == null || text.isBlank()) return;
      block = new TextBlock(part);
      blocks.add(block);
      broken = false;
    } else if (broken && !text.isBlank()) {
      broken = false;
    }
    block.add(text, link != null);
  }

  private FilterResult open(Element element) {
    var tag = element.normalName();
    var kind = TagKind.of(tag);
    if (kind == TagKind.BREAK) return breakLine();
    if (kind == TagKind.UNSEEN || isHidden(element)) return FilterResult.SKIP_ENTIRELY;
    if (kind == TagKind.LINK && link == null) link = element;
    if (!staysInLine(tag, kind)) begin(element, kind);
    return FilterResult.CONTINUE;
  }

  /// A tag that a site made up can be anything; in the middle of a line it is a part of the line.
  private boolean staysInLine(String tag, TagKind kind) {
    return kind == TagKind.INLINE
        || kind == TagKind.LINK
        || (kind == TagKind.BOX && block != null && tag.indexOf('-') > 0);
  }

  private void begin(Element element, TagKind kind) {
    endBlock();
    part = new TextPart(element, part, kind, hints(element), blocks.size());
    parts.add(part);
    if (kind == TagKind.TITLE && part.article != null) part.article.titled = true;
  }

  /// Two breaks in a row are how old pages end a paragraph.
  private FilterResult breakLine() {
    if (broken) endBlock();
    else if (block != null) block.breakLine();
    broken = !broken;
    return FilterResult.SKIP_ENTIRELY;
  }

  private void endBlock() {
    block = null;
    broken = false;
  }

  private static int hints(Element element) {
    if (element.attributesSize() == 0) return 0;
    var attributes = element.attributes();
    var hints = NameHints.of(attributes.get("class")) | NameHints.of(attributes.get("id"));
    if (attributes.get("itemprop").equals("articleBody")) hints |= NameHints.BODY;
    if (ASIDE_ROLES.contains(attributes.get("role"))) hints |= NameHints.ASIDE;
    return hints;
  }

  private static boolean isHidden(Element element) {
    if (element.attributesSize() == 0) return false;
    var attributes = element.attributes();
    return attributes.hasKey("hidden")
        || attributes.get("aria-hidden").equals("true")
        || isHiddenBy(attributes);
  }

  private static boolean isHiddenBy(Attributes attributes) {
    var style = attributes.get("style");
    return !style.isEmpty() && (style.contains("display:none") || style.contains("display: none"));
  }
}
