package io.tidemill.content.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.page.PageText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageReaderTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final LanguageDetector LANGUAGES = new LanguageDetector();
  private static final WebUrl URL = WebUrl.parse("https://example.org/dir/page").orElseThrow();

  @Test
  void readsVisibleTextOneLineAParagraph() {
    var page =
        html(
            """
            <title>Not in the text</title><body>
            <h1>Tide  mills</h1><p>Water
              wheels &amp; <b>more</b>, e<i>.g</i>. <br>dams</p>
            <script>var x = 'no';</script><style>p{}</style><noscript>no</noscript>
            <template>no</template><p hidden>no</p><div style="display: none">no</div>
            <ul><li>one</li><li>two</li></ul>
            <table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>soft\u00ADly&nbsp;so
            """);

    assertThat(page.text().readable())
        .isEqualTo("Tide mills\nWater wheels & more, e.g.\ndams\none\ntwo\na b\nc\nsoftly so");
    assertThat(page.text().main()).isEmpty();
  }

  @Test
  void findsWhatIsMainAsSpans() {
    var page =
        html(
            "<nav>menu</nav><article><p>first <b>part</b></p><p>second</p></article>"
                + "<aside>ad</aside><article>third</article><footer>end</footer>",
            _ -> PageReaderTest::isInArticle);

    var text = page.text();

    assertThat(text.main().stream().map(span -> part(text, span)))
        .containsExactly("first part\nsecond", "third");
  }

  private static boolean isInArticle(TextNode node) {
    var parent = node.parent();
    return parent != null && parent.closest("article") != null;
  }

  private static String part(PageText text, PageText.Span span) {
    return text.readable().substring(span.start(), span.end());
  }

  @ParameterizedTest
  @CsvSource({
    "<title> A  page </title><h1>Other</h1>, A page",
    "<meta property=og:title content=Shared><h1>Other</h1>, Shared",
    "<h1>Only <i>this</i></h1><h1>Other</h1>, Only this",
    "<svg><title>Icon</title></svg><p>x</p>, ''"
  })
  void findsATitle(String html, String title) {
    assertThat(html(html).title()).isEqualTo(title);
  }

  @Test
  void findsWhatThePageSaysAboutItself() {
    var page =
        html(
            """
            <html lang="de"><meta name="Description" content=" All  about mills ">
            <meta property="og:description" content="shorter"><meta property="og:type" content="Article">
            <link rel="canonical" href="/mills#top">
            <link rel="alternate" type="application/rss+xml" href="feed.xml">
            <link rel="alternate" hreflang="en" href="/en">
            <meta name="robots" content="NOINDEX, follow"><meta name="tidemill" content="none">
            <meta name="otherbot" content="none">
            <p>Mahlen</p>
            """);

    assertThat(page.description()).isEqualTo("All about mills");
    assertThat(page.type()).isEqualTo("article");
    assertThat(page.canonical()).isEqualTo("https://example.org/mills");
    assertThat(page.feeds()).containsExactly("https://example.org/dir/feed.xml");
    assertThat(page.language()).isEqualTo("de");
    assertThat(page.rules().noindex()).isTrue();
    assertThat(page.rules().nofollow()).isTrue();
  }

  @Test
  void readsOrdersForRobotsInHeaders() {
    var page =
        (PageContent)
            reader(_ -> _ -> true)
                .read(
                    URL,
                    "text/html",
                    List.of(
                        "otherbot: noindex", "unavailable_after: 2025-01-01", "Tidemill: nofollow"),
                    "x".getBytes(StandardCharsets.UTF_8));

    assertThat(page.rules().noindex()).isFalse();
    assertThat(page.rules().nofollow()).isTrue();
  }

  @Test
  void resolvesEachLinkOnce() {
    var page =
        html(
            """
            <a href="/a">A</a> <a href="b?x=1#part"> the  <b>B</b> </a> <a href="#top">top</a>
            <a href="mailto:me@example.org">me</a> <a href="JavaScript:void(0)">js</a>
            <a href="ftp://example.org/">ftp</a> <a href="//other.org">other</a> <a>none</a>
            <a href="/a#2" rel="nofollow">again</a> <a href="c" rel="external UGC">c</a>
            <a href="/d" rel=sponsored></a><a href="/d" rel=nofollow>D</a><area href="/area">
            """);

    assertThat(page.links().stream().map(PageReaderTest::shown))
        .containsExactly(
            "https://example.org/a A",
            "https://example.org/dir/b?x=1 the B",
            "https://other.org/ other",
            "https://example.org/dir/c c nofollow",
            "https://example.org/d D nofollow",
            "https://example.org/area ");
  }

  private static String shown(PageLink link) {
    return link.target().href() + " " + link.anchor() + (link.nofollow() ? " nofollow" : "");
  }

  @Test
  void resolvesAgainstTheBaseWhereverItStands() {
    var page = html("<a href=x>x</a><base href='https://cdn.example.net/root/'><base href='/no/'>");

    assertThat(page.links().getFirst().target().href()).isEqualTo("https://cdn.example.net/root/x");
  }

  @Test
  void takesNoMoreThanFiveThousandLinks() {
    var html = new StringBuilder();
    for (var i = 0; i < 6_000; i++) html.append("<a href=/").append(i).append(">x</a>");

    assertThat(html(html.toString()).links()).hasSize(5_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<script type=application/ld+json>{\"@graph\":[{\"comment\":{\"datePublished\":\"2020-01-01\"},\"datePublished\":\"2024-05-01\"}]}</script><time datetime=2021-01-01>|2024-05-01",
        "<script type=application/ld+json>{broken \"datePublished\": </script><meta property=article:published_time content=2024-05-02>|2024-05-02",
        "<span itemprop=datePublished>2024-05-03</span>|2024-05-03",
        "<meta itemprop=datePublished content=2024-05-04>|2024-05-04",
        "<meta name=DC.date.issued content=2024/05/05>|2024-05-05",
        "<time datetime=2024-05-06T00:00Z>yesterday</time><time datetime=2020-01-01>|2024-05-06",
        "<meta name=date content=2030-01-01><time datetime=2024-05-07>|2024-05-07"
      })
  void findsWhenItWasPublished(String html, String day) {
    assertThat(html(html).publishedAt()).isEqualTo(Instant.parse(day + "T00:00:00Z"));
  }

  @Test
  void findsWhenItWasChanged() {
    var page = html("<meta property=article:modified_time content=2024-06-01T12:00:00+02:00>");

    assertThat(page.modifiedAt()).isEqualTo(Instant.parse("2024-06-01T10:00:00Z"));
    assertThat(page.publishedAt()).isNull();
  }

  @Test
  void readsNestingOfAnyDepth() { // F49
    var page = html("<div>".repeat(200_000) + "deep" + "<b>".repeat(50_000));

    assertThat(page.text().readable()).isEqualTo("deep");
  }

  @Test
  void cutsOffTextAtItsLimit() {
    var reader = new PageReader(LANGUAGES, _ -> _ -> true, CLOCK, "tidemill", 11);

    var page =
        (PageContent)
            reader.read(URL, "text/html", List.of(), bytes("<p>12345<p>6789\uD83D\uDE00"));

    assertThat(page.text().readable()).isEqualTo("12345\n6789");
    page = (PageContent) reader.read(URL, "text/html", List.of(), bytes("<p>12345678901<p>2<p>3"));
    assertThat(page.text().readable()).isEqualTo("12345678901");
  }

  @Test
  void readsPlainText() {
    var page = read("text/plain; charset=utf-8", "One  line\r\n\r\n<b>two</b>\n");

    assertThat(page.text().readable()).isEqualTo("One line\n<b>two</b>");
    assertThat(page.mediaType()).isEqualTo("text/plain");
    assertThat(page.charset()).isEqualTo("UTF-8");
  }

  @Test
  void readsRss() {
    var page =
        read(
            "application/rss+xml",
            """
            <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>
            <rss><channel><title>News</title><link>https://example.org/</link>
            <description>All &amp; more</description><lastBuildDate>Wed, 01 May 2024 10:30:15 GMT</lastBuildDate>
            <item><title>First &x;</title><link>https://example.org/1</link>
            <description>&lt;p&gt;Hello &lt;b&gt;you&lt;/b&gt;&lt;/p&gt;</description></item>
            <item><title>Second</title><link>/2</link><content:encoded><![CDATA[<p>CD</p>]]></content:encoded></item>
            </channel></rss>
            """);

    assertThat(page.title()).isEqualTo("News");
    assertThat(page.description()).isEqualTo("All & more");
    assertThat(page.text().readable())
        .contains("Hello you", "Second\nCD")
        .doesNotContain("root:", "passwd");
    assertThat(page.links().stream().map(link -> link.target().href()))
        .containsExactly("https://example.org/", "https://example.org/1", "https://example.org/2");
    assertThat(page.modifiedAt()).isEqualTo(Instant.parse("2024-05-01T10:30:15Z"));
  }

  @Test
  void readsAtom() {
    var page =
        read(
            "application/atom+xml",
            "<feed xmlns='http://www.w3.org/2005/Atom'><title>Feed</title><link rel='self' href='/feed'/>"
                + "<entry><title>Entry</title><link href='/entry'/><summary>Short</summary></entry></feed>");

    assertThat(page.title()).isEqualTo("Feed");
    assertThat(page.text().readable()).isEqualTo("Feed\nEntry\nShort");
    assertThat(page.links()).extracting(link -> link.target().path()).containsExactly("/entry");
  }

  @Test
  void looksAtTheBytesWhenTheHeaderSaysNothing() {
    assertThat(read(null, "<!DOCTYPE html><p>x").mediaType()).isEqualTo("text/html");
    assertThat(read("application/octet-stream", "just words").mediaType()).isEqualTo("text/plain");
    assertThat(reading(null, bytes("%PDF-1.7")))
        .isEqualTo(new PageContent.Unsupported("application/pdf"));
    assertThat(reading(null, new byte[] {1, 2, 3}))
        .isEqualTo(new PageContent.Unsupported("application/octet-stream"));
    assertThat(reading("image/png", bytes("<html>")))
        .isEqualTo(new PageContent.Unsupported("image/png"));
  }

  private static PageReading reading(@Nullable String type, byte[] body) {
    return reader(_ -> _ -> true).read(URL, type, List.of(), body);
  }

  private static PageContent read(@Nullable String type, String body) {
    return (PageContent) reading(type, bytes(body));
  }

  private static PageContent html(String html) {
    return html(html, _ -> _ -> true);
  }

  private static PageContent html(String html, Function<Document, Predicate<TextNode>> main) {
    return (PageContent) reader(main).read(URL, "text/html; charset=utf-8", List.of(), bytes(html));
  }

  private static PageReader reader(Function<Document, Predicate<TextNode>> main) {
    return new PageReader(LANGUAGES, main, CLOCK, "tidemill", 1_000_000);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void readsTheBeginningOfAPageWithTooManyTables() { // F49
    var html = "<p>Start</p>" + "<table><td>".repeat(200_000) + "end";

    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          var page =
              (PageContent)
                  reader(_ -> _ -> true)
                      .read(URL, "text/html", List.of(), html.getBytes(StandardCharsets.UTF_8));
          assertThat(page.text().readable()).isEqualTo("Start");
        });
  }
}
