package io.tidemill.content.html;

import io.tidemill.content.charset.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;
import org.jspecify.annotations.Nullable;

/// One pass over a parsed page that picks up everything we want of it; no recursion, so that no
/// nesting is too deep.
final class PageWalk implements NodeFilter {
  private static final int MAX_LINKS = 5_000;
  private static final int MAX_ANCHOR = 200;
  private static final int MAX_TITLE = 1_000;
  private static final int MAX_SCRIPTS = 20;

  /// A link as written.
  record RawLink(String href, boolean nofollow, String anchor) {}

  private final Predicate<TextNode> main;
  private final PageMetadata metas;
  private final TextBuilder text;
  private final List<RawLink> links = new ArrayList<>();
  private final List<String> feeds = new ArrayList<>();
  private int anchorDepth = -1;
  private int anchorStart;
  private int headingDepth = -1;
  private int headingStart;
  private int scripts;
  private String title = "";
  private String firstHeading = "";
  private String language = "";
  private @Nullable String base;
  private @Nullable String canonical;

  PageWalk(Predicate<TextNode> main, PageMetadata metas, int maxText) {
    this.main = main;
    this.metas = metas;
    this.text = new TextBuilder(maxText);
  }

  @Override
  public FilterResult head(Node node, int depth) {
    if (node instanceof TextNode textNode) {
      append(textNode);
      return FilterResult.CONTINUE;
    }
    return node instanceof Element element ? open(element, depth) : FilterResult.CONTINUE;
  }

  private void append(TextNode node) {
    var whole = node.getWholeText();
    // Most text nodes are the line ends between tags; asking whether these are main is wasted.
    if (isBlank(whole)) text.breakWord();
    else text.append(whole, main.test(node));
  }

  private static boolean isBlank(String whole) {
    for (var i = 0; i < whole.length(); i++) {
      if (!TextBuilder.isBlank(whole.charAt(i))) return false;
    }
    return true;
  }

  private FilterResult open(Element element, int depth) {
    var name = element.normalName();
    var kind = Tags.of(name);
    if (kind == Tags.SILENT) return silent(element, name);
    var plain = element.attributesSize() == 0;
    if (!plain && isHidden(element)) return FilterResult.SKIP_CHILDREN;
    separate(kind);
    switch (name) {
      case "a", "area" -> link(element, depth);
      case "h1" -> heading(depth);
      case "html" -> language = element.attr("lang");
      case "time" -> metas.time(element);
      default -> {}
    }
    if (!plain) metas.microdata(element);
    return FilterResult.CONTINUE;
  }

  private void separate(Tags kind) {
    if (kind == Tags.BLOCK) text.breakLine();
    else if (kind == Tags.APART) text.breakWord();
  }

  private FilterResult silent(Element element, String name) {
    switch (name) {
      case "head" -> {
        return FilterResult.CONTINUE;
      }
      case "title" -> title(element);
      case "meta" -> metas.meta(element);
      case "link" -> linked(element);
      case "base" -> base(element);
      case "script" -> script(element);
      default -> {}
    }
    return FilterResult.SKIP_CHILDREN;
  }

  private void title(Element element) {
    if (title.isEmpty()) title = TextBuilder.line(element.wholeText(), MAX_TITLE);
  }

  private void base(Element element) {
    if (base == null && element.hasAttr("href")) base = element.attr("href");
  }

  private void script(Element element) {
    if (!element.attr("type").equalsIgnoreCase("application/ld+json")) return;
    if (scripts++ < MAX_SCRIPTS) metas.jsonLd(element.data());
  }

  private void linked(Element element) {
    var rel = element.attr("rel").toLowerCase(Locale.ROOT);
    var href = element.attr("href");
    if (href.isEmpty()) return;
    if (canonical == null && hasToken(rel, "canonical")) canonical = href;
    if (feeds.size() < 20 && hasToken(rel, "alternate") && isFeed(element.attr("type"))) {
      feeds.add(href);
    }
  }

  private static boolean isFeed(String type) {
    var plain = MediaType.parse(type).essence();
    return plain.equals("application/rss+xml")
        || plain.equals("application/atom+xml")
        || plain.equals("application/feed+json");
  }

  private static boolean isHidden(Element element) {
    if (element.hasAttr("hidden")) return !element.attr("hidden").equals("until-found");
    var style = element.attr("style");
    var display = style.isEmpty() ? -1 : style.indexOf("display");
    if (display < 0) return false;
    var value = display + "display".length();
    while (value < style.length() && " :".indexOf(style.charAt(value)) >= 0) value++;
    return style.startsWith("none", value);
  }

  private void link(Element element, int depth) {
    var href = element.attr("href");
    if (href.isEmpty() || links.size() >= MAX_LINKS * 2) return;
    anchorDepth = depth;
    anchorStart = text.length();
  }

  private void heading(int depth) {
    if (!firstHeading.isEmpty() || headingDepth >= 0) return;
    headingDepth = depth;
    headingStart = text.length();
  }

  @Override
  public FilterResult tail(Node node, int depth) {
    if (node instanceof Element element) close(element, depth);
    return FilterResult.CONTINUE;
  }

  private void close(Element element, int depth) {
    separate(Tags.of(element.normalName()));
    if (depth == anchorDepth) {
      var rel = element.attr("rel").toLowerCase(Locale.ROOT);
      links.add(new RawLink(element.attr("href"), isNofollow(rel), anchorText()));
      anchorDepth = -1;
    }
    if (depth == headingDepth) {
      firstHeading = TextBuilder.line(text.since(headingStart, MAX_TITLE), MAX_TITLE);
      headingDepth = -1;
    }
  }

  private String anchorText() {
    return text.since(anchorStart, MAX_ANCHOR).replace('\n', ' ');
  }

  private static boolean isNofollow(String rel) {
    return !rel.isEmpty()
        && (hasToken(rel, "nofollow") || hasToken(rel, "ugc") || hasToken(rel, "sponsored"));
  }

  private static boolean hasToken(String list, String token) {
    for (var at = list.indexOf(token); at >= 0; at = list.indexOf(token, at + 1)) {
      var end = at + token.length();
      var starts = at == 0 || list.charAt(at - 1) <= ' ';
      if (starts && (end == list.length() || list.charAt(end) <= ' ')) return true;
    }
    return false;
  }

  TextBuilder text() {
    return text;
  }

  List<RawLink> links() {
    return links;
  }

  List<String> feeds() {
    return feeds;
  }

  /// What the title element says, else Open Graph, else the first heading.
  String title() {
    if (!title.isEmpty()) return title;
    var shared = metas.title();
    return shared.isEmpty() ? firstHeading : shared;
  }

  /// The language as the page names it, or nothing.
  String language() {
    return language.isEmpty() ? metas.language() : language;
  }

  @Nullable String base() {
    return base;
  }

  @Nullable String canonical() {
    return canonical;
  }
}
