package io.tidemill.content.html;

import io.tidemill.content.charset.CharsetSniffer;
import io.tidemill.content.charset.MediaType;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.robots.PageRules;
import io.tidemill.content.url.WebUrl;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

/// Turns fetched bytes into a page: parsed once, walked once. No body makes it fail.
public final class PageReader {
  private static final int LANGUAGE_SAMPLE = 1_000;
  private static final int MOST_TABLES = 2_000;
  private static final int MOST_TAGS = 450_000;
  private static final String TABLE = "<table";

  private final LanguageDetector languages;
  private final CharsetSniffer charsets;
  private final Function<Document, Predicate<TextNode>> mainText;
  private final InstantSource clock;
  private final String agent;
  private final int maxText;

  /// @param mainText says of a document which of its texts are what it is about
  /// @param agent our name in `meta` elements for robots
  /// @param maxText characters of text kept of one page
  public PageReader(
      LanguageDetector languages,
      Function<Document, Predicate<TextNode>> mainText,
      InstantSource clock,
      String agent,
      int maxText) {
    this.languages = languages;
    this.charsets = new CharsetSniffer(languages);
    this.mainText = mainText;
    this.clock = clock;
    this.agent = agent.toLowerCase(Locale.ROOT);
    this.maxText = maxText;
  }

  /// Reads a fetched body as a page.
  ///
  /// @param contentType the header's value
  /// @param robotsTags the values of `X-Robots-Tag` headers
  public PageReading read(
      WebUrl url, @Nullable String contentType, List<String> robotsTags, byte[] body) {
    var type = BodyType.of(MediaType.parse(contentType), body);
    if (type.kind() == BodyType.Kind.OTHER) return new PageContent.Unsupported(type.mediaType());
    var header = contentType == null ? type.mediaType() : contentType;
    var decoded = charsets.decode(body, header);
    var page = new Source(url, type.mediaType(), decoded, robotsTags);
    return switch (type.kind()) {
      case HTML -> html(page);
      case XML -> xml(page);
      default -> plain(page);
    };
  }

  /// A body as characters, and what else is known of it.
  record Source(
      WebUrl url, String mediaType, CharsetSniffer.Decoded decoded, List<String> robotsTags) {}

  private PageContent html(Source page) {
    var document = Jsoup.parse(withinReason(page.decoded().text()), "");
    var metas = new PageMetadata(agent, clock);
    var walk = new PageWalk(mainText.apply(document), metas, maxText);
    NodeTraversor.filter(walk, document);
    return htmlContent(page, walk, metas);
  }

  // The parser's time grows with the square of the tables and other things left open (F49).
  private static String withinReason(String html) {
    if (html.length() < MOST_TABLES * TABLE.length()) return html;
    var tables = 0;
    var tags = 0;
    for (int at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
      if (++tags > MOST_TAGS) return html.substring(0, at);
      if (html.regionMatches(true, at, TABLE, 0, TABLE.length()) && ++tables > MOST_TABLES) {
        return html.substring(0, at);
      }
    }
    return html;
  }

  private PageContent htmlContent(Source page, PageWalk walk, PageMetadata metas) {
    var links = new LinkResolver(page.url(), walk.base());
    for (var link : walk.links()) links.add(link.href(), link.nofollow(), link.anchor());
    var canonical = walk.canonical() == null ? null : links.resolve(walk.canonical());
    var text = walk.text().build();
    return new PageContent(
        walk.title(),
        metas.description(),
        text,
        languages.detect(walk.text().sample(LANGUAGE_SAMPLE), walk.language()),
        canonical == null ? null : canonical.href(),
        links.all(),
        PageRules.of(metas.robots(), page.robotsTags(), agent),
        metas.publishedAt(),
        metas.modifiedAt(),
        page.decoded().encoding().name(),
        page.mediaType(),
        hrefs(links, walk.feeds()),
        metas.type());
  }

  private static List<String> hrefs(LinkResolver links, List<String> references) {
    return references.stream()
        .map(links::resolve)
        .filter(Objects::nonNull)
        .map(WebUrl::href)
        .distinct()
        .toList();
  }

  private PageContent xml(Source page) {
    var walk = new XmlWalk(clock, maxText);
    walk.read(page.decoded().text());
    var links = new LinkResolver(page.url(), null);
    for (var href : walk.links()) links.add(href, false, "");
    return content(page, walk.title(), walk.description(), walk.text(), links, walk);
  }

  private PageContent plain(Source page) {
    var text = new TextBuilder(maxText);
    page.decoded()
        .text()
        .lines()
        .forEach(line -> {
          text.breakLine();
          text.append(line, true);
        });
    return content(page, "", "", text, new LinkResolver(page.url(), null), null);
  }

  private PageContent content(
      Source page,
      String title,
      String description,
      TextBuilder text,
      LinkResolver links,
      @Nullable XmlWalk walk) {
    return new PageContent(
        title,
        description,
        text.build(),
        languages.detect(text.sample(LANGUAGE_SAMPLE), walk == null ? null : walk.language()),
        null,
        links.all(),
        PageRules.of(List.of(), page.robotsTags(), agent),
        walk == null ? null : walk.publishedAt(),
        walk == null ? null : walk.modifiedAt(),
        page.decoded().encoding().name(),
        page.mediaType(),
        List.of(),
        "");
  }
}
