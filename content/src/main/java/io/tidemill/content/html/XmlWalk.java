package io.tidemill.content.html;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

/// Reads RSS, Atom, sitemaps and other XML as text and links. No DTD is read, no entity expanded.
final class XmlWalk implements NodeFilter {
  private static final int MAX_LINKS = 5_000;
  private static final int MAX_TITLE = 1_000;

  private final InstantSource clock;
  private final TextBuilder text;
  private final List<String> links = new ArrayList<>();
  private boolean inEntry;
  private String title = "";
  private String description = "";
  private String language = "";
  private @Nullable Instant publishedAt;
  private @Nullable Instant modifiedAt;

  XmlWalk(InstantSource clock, int maxText) {
    this.clock = clock;
    this.text = new TextBuilder(maxText);
  }

  void read(String xml) {
    NodeTraversor.filter(this, Jsoup.parse(xml, "", Parser.xmlParser()));
  }

  @Override
  public FilterResult head(Node node, int depth) {
    if (node instanceof TextNode loose) text.append(loose.getWholeText(), true);
    return node instanceof Element element ? open(element) : FilterResult.CONTINUE;
  }

  private FilterResult open(Element element) {
    text.breakLine();
    switch (localName(element)) {
      case "item", "entry" -> inEntry = true;
      case "title" -> {
        if (title.isEmpty() && !inEntry) title = TextBuilder.line(markup(element), MAX_TITLE);
        return append(element);
      }
      case "description", "subtitle", "tagline" -> {
        if (description.isEmpty() && !inEntry)
          description = TextBuilder.line(markup(element), 2_000);
        return append(element);
      }
      case "summary", "content", "encoded" -> {
        return append(element);
      }
      case "link" -> {
        link(element);
        return FilterResult.SKIP_CHILDREN;
      }
      case "loc", "comments", "guid", "id", "url" -> {
        if (localName(element).equals("loc")) add(element.wholeText());
        return FilterResult.SKIP_CHILDREN;
      }
      case "language" -> language = element.wholeText().strip();
      case "pubdate", "published", "issued", "created" -> {
        if (publishedAt == null) publishedAt = LenientDate.parse(element.wholeText(), clock);
        return FilterResult.SKIP_CHILDREN;
      }
      case "lastbuilddate", "updated", "modified", "lastmod" -> {
        if (modifiedAt == null) modifiedAt = LenientDate.parse(element.wholeText(), clock);
        return FilterResult.SKIP_CHILDREN;
      }
      default -> {}
    }
    return FilterResult.CONTINUE;
  }

  private void link(Element element) {
    var rel = element.attr("rel");
    if (!rel.isEmpty() && !rel.equals("alternate")) return;
    add(element.hasAttr("href") ? element.attr("href") : element.wholeText());
  }

  private void add(String href) {
    if (links.size() < MAX_LINKS && !href.isBlank()) links.add(href.strip());
  }

  // Feeds carry HTML as escaped text, as CDATA, or as elements: after this it is text.
  private FilterResult append(Element element) {
    text.append(markup(element), true);
    return FilterResult.SKIP_CHILDREN;
  }

  private static String markup(Element element) {
    var content = element.wholeText();
    return content.indexOf('<') < 0 && content.indexOf('&') < 0
        ? content
        : Jsoup.parse(content).text();
  }

  private static String localName(Element element) {
    var name = element.tagName();
    return name.substring(name.indexOf(':') + 1).toLowerCase(Locale.ROOT);
  }

  TextBuilder text() {
    return text;
  }

  List<String> links() {
    return links;
  }

  String title() {
    return title;
  }

  String description() {
    return description;
  }

  String language() {
    return language;
  }

  @Nullable Instant publishedAt() {
    return publishedAt;
  }

  @Nullable Instant modifiedAt() {
    return modifiedAt;
  }
}
