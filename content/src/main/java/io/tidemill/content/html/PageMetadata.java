package io.tidemill.content.html;

import io.tidemill.content.robots.PageRules;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/// What a page says about itself in metas, microdata and JSON-LD, the most reliable source first.
final class PageMetadata {
  private static final int MAX_TEXT = 2_000;

  /// How much a source of dates is to be trusted; the first that has one wins.
  private enum Source {
    JSON_LD,
    META,
    MICRODATA,
    OTHER_META,
    TIME
  }

  private final String agent;
  private final InstantSource clock;
  private final Map<Source, Instant> published = new EnumMap<>(Source.class);
  private final Map<Source, Instant> modified = new EnumMap<>(Source.class);
  private final List<PageRules.Meta> robots = new ArrayList<>();
  private String title = "";
  private String description = "";
  private String sharedDescription = "";
  private String language = "";
  private String type = "";

  PageMetadata(String agent, InstantSource clock) {
    this.agent = agent;
    this.clock = clock;
  }

  void meta(Element meta) {
    var content = meta.attr("content");
    if (content.isEmpty()) return;
    var name = meta.attr("name");
    if (name.isEmpty()) name = meta.attr("property");
    if (name.isEmpty()) name = meta.attr("itemprop");
    if (name.isEmpty()) httpEquiv(meta, content);
    else named(name.toLowerCase(Locale.ROOT), content);
  }

  private void httpEquiv(Element meta, String content) {
    if (meta.attr("http-equiv").equalsIgnoreCase("content-language")) language = content;
  }

  private void named(String name, String content) {
    switch (name) {
      case "description" -> description = firstOf(description, content);
      case "og:description", "twitter:description" ->
          sharedDescription = firstOf(sharedDescription, content);
      case "og:title", "twitter:title" -> title = firstOf(title, content);
      case "og:type" -> type = firstOf(type, content).toLowerCase(Locale.ROOT);
      case "og:locale" -> language = firstOf(language, content);
      case "article:published_time", "og:article:published_time", "og:published_time" ->
          put(published, Source.META, content);
      case "article:modified_time", "og:article:modified_time", "og:updated_time" ->
          put(modified, Source.META, content);
      case "datepublished" -> put(published, Source.MICRODATA, content);
      case "datemodified" -> put(modified, Source.MICRODATA, content);
      case "date",
          "dc.date",
          "dc.date.issued",
          "dc.date.created",
          "dcterms.created",
          "dcterms.date",
          "dcterms.issued",
          "pubdate",
          "publishdate",
          "publish-date",
          "publish_date",
          "published",
          "published_at",
          "published-date",
          "parsely-pub-date",
          "sailthru.date",
          "article.published",
          "article.created",
          "cxenseparse:recs:publishtime",
          "citation_publication_date",
          "citation_date",
          "datecreated",
          "uploaddate" ->
          put(published, Source.OTHER_META, content);
      case "last-modified", "lastmod", "revised", "dcterms.modified", "dc.date.modified" ->
          put(modified, Source.OTHER_META, content);
      default -> robots(name, content);
    }
  }

  private void robots(String name, String content) {
    if (robots.size() < 20 && (name.equals("robots") || name.equals(agent))) {
      robots.add(new PageRules.Meta(name, content));
    }
  }

  private static String firstOf(String known, String content) {
    return known.isEmpty() ? TextBuilder.line(content, MAX_TEXT) : known;
  }

  void time(Element time) {
    if (time.hasAttr("datetime")) {
      var source = time.hasAttr("pubdate") ? Source.MICRODATA : Source.TIME;
      put(published, source, time.attr("datetime"));
    }
  }

  void microdata(Element element) {
    var property = element.attr("itemprop");
    if (property.isEmpty()) return;
    if (property.equalsIgnoreCase("datePublished")) {
      put(published, Source.MICRODATA, value(element));
    } else if (property.equalsIgnoreCase("dateModified")) {
      put(modified, Source.MICRODATA, value(element));
    }
  }

  private static String value(Element element) {
    if (element.hasAttr("datetime")) return element.attr("datetime");
    return element.hasAttr("content") ? element.attr("content") : element.ownText();
  }

  void jsonLd(String script) {
    var dates = JsonLd.of(script);
    put(published, Source.JSON_LD, dates.published());
    put(modified, Source.JSON_LD, dates.modified());
  }

  private void put(Map<Source, Instant> dates, Source source, @Nullable String date) {
    if (date == null || dates.containsKey(source)) return;
    var read = LenientDate.parse(date, clock);
    if (read != null) dates.put(source, read);
  }

  @Nullable Instant publishedAt() {
    return first(published);
  }

  @Nullable Instant modifiedAt() {
    return first(modified);
  }

  private static @Nullable Instant first(Map<Source, Instant> dates) {
    return dates.isEmpty() ? null : dates.values().iterator().next();
  }

  String title() {
    return title;
  }

  String description() {
    return description.isEmpty() ? sharedDescription : description;
  }

  String language() {
    return language;
  }

  String type() {
    return type;
  }

  List<PageRules.Meta> robots() {
    return robots;
  }
}
