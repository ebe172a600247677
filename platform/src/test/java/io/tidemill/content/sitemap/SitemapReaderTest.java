package io.tidemill.content.sitemap;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.url.WebUrl;
import io.tidemill.support.CpuTime;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SitemapReaderTest {
  private static final WebUrl ADDRESS =
      WebUrl.parse("https://example.org/maps/sitemap.xml").orElseThrow();

  @Test
  void readsPagesAndTheirDates() {
    var map =
        parse(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
                xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
                xmlns:xhtml="http://www.w3.org/1999/xhtml">
              <url>
                <loc> https://example.org/a?x=1&amp;y=2#z </loc>
                <lastmod>2024-05-17T10:00:00+02:00</lastmod>
                <image:image><image:loc>https://example.org/a.png</image:loc></image:image>
                <xhtml:link rel="alternate" hreflang="de" href="https://example.org/de"/>
              </url>
              <url><loc><![CDATA[https://example.org/ü]]></loc></url>
              <url><loc>mailto:a@b.c</loc></url>
              <url><loc></loc></url>
              <url><lastmod>2024</lastmod></url>
            </urlset>
            """);

    assertThat(map.entries())
        .extracting(entry -> entry.url().href())
        .containsExactly("https://example.org/a?x=1&y=2", "https://example.org/%C3%BC");
    assertThat(map.entries().getFirst().lastModified())
        .hasValue(Instant.parse("2024-05-17T08:00:00Z"));
    assertThat(map.entries().getLast().lastModified()).isEmpty();
    assertThat(map.children()).isEmpty();
  }

  @Test
  void readsAnIndexOfFurtherSitemaps() {
    var map =
        parse(
            "<sitemapindex><sitemap><loc>https://example.org/1.xml.gz</loc><lastmod>x</lastmod>"
                + "</sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>");

    assertThat(map.children())
        .extracting(WebUrl::href)
        .containsExactly("https://example.org/1.xml.gz", "https://example.org/2.xml");
    assertThat(map.entries()).isEmpty();
  }

  @Test
  void readsFeeds() {
    var rss =
        parse(
            "<rss version='2.0'><channel><link>https://example.org/</link><item><title>t</title>"
                + "<link>https://example.org/1</link><pubDate>Fri, 17 May 2024 08:00:00 GMT</pubDate>"
                + "</item><item><guid>https://example.org/2</guid></item></channel></rss>");
    var atom =
        parse(
            "<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://example.org/'/><entry>"
                + "<link rel='edit' href='https://example.org/e'/><link href='https://example.org/1'/>"
                + "<published>2020-01-01T00:00:00Z</published><updated>2024-05-17T08:00:00Z</updated>"
                + "</entry></feed>");

    assertThat(rss.entries()).extracting(entry -> entry.url().path()).containsExactly("/1", "/2");
    assertThat(atom.entries()).extracting(entry -> entry.url().path()).containsExactly("/1");
    for (var map : List.of(rss, atom)) {
      assertThat(map.entries().getFirst().lastModified())
          .hasValue(Instant.parse("2024-05-17T08:00:00Z"));
    }
  }

  @Test
  void readsAListOfUrls() {
    var map =
        parse("\uFEFFhttps://example.org/1\r\nhttps://example.org/2 \n\nnot a url\nhttp://b/");

    assertThat(map.entries())
        .extracting(entry -> entry.url().href())
        .containsExactly("https://example.org/1", "https://example.org/2", "http://b/");
  }

  @ParameterizedTest
  @CsvSource({"UTF-16", "UTF-16LE", "ISO-8859-1", "UTF-8"})
  void readsEveryEncoding(String charset) {
    var xml =
        "<?xml version='1.0' encoding='%s'?><urlset><url><loc>http://a/ü</loc></url></urlset>"
            .formatted(charset);

    var map = SitemapReader.parse(xml.getBytes(Charset.forName(charset)), ADDRESS);

    assertThat(map.entries())
        .extracting(entry -> entry.url().href())
        .containsExactly("http://a/%C3%BC");
  }

  @Test
  void keepsWhatCameBeforeAFault() {
    var map = parse("<urlset><url><loc>http://a/</loc></url><url><loc>http://b/?x=1&y=2</loc>");

    assertThat(map.entries()).extracting(entry -> entry.url().host()).containsExactly("a");
  }

  @Test
  void reads50000UrlsAndNoMore() { // F49
    var url = "<url><loc>http://a/</loc></url>";

    assertThat(parse("<urlset>" + url.repeat(50_100) + "</urlset>").entries()).hasSize(50_000);
    assertThat(parse("http://a/\n".repeat(50_100)).entries()).hasSize(50_000);
  }

  @Test
  void refusesADocumentType() { // F49
    var laughs =
        "<!DOCTYPE u [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>"
            + "<urlset><url><loc>http://a/&b;</loc></url></urlset>";
    var outside =
        "<!DOCTYPE u [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
            + "<urlset><url><loc>http://a/&x;</loc></url></urlset>";

    assertThat(parse(laughs)).isEqualTo(Sitemap.EMPTY);
    assertThat(parse(outside)).isEqualTo(Sitemap.EMPTY);
  }

  @Test
  void refusesBillionLaughsQuickly() throws IOException { // F49
    var body = Files.readAllBytes(Corpora.find("hostile/billion-laughs.xml"));

    var time =
        CpuTime.of(() -> assertThat(SitemapReader.parse(body, ADDRESS)).isEqualTo(Sitemap.EMPTY));

    assertThat(time).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void survivesDeepNesting() { // F49
    var map = parse("<urlset><url><loc>http://a/</loc></url>" + "<x>".repeat(200_000));

    assertThat(map.entries()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "2024,                          2024-01-01T00:00:00Z",
    "2024-05,                       2024-05-01T00:00:00Z",
    "2024-05-17,                    2024-05-17T00:00:00Z",
    "2024-05-17T10:20Z,             2024-05-17T10:20:00Z",
    "2024-05-17T10:20:30.45+02:00,  2024-05-17T08:20:30.450Z",
    "2024-05-17T10:20:30+0200,      2024-05-17T08:20:30Z",
    "2024-05-17T10:20:30-07:00,     2024-05-17T17:20:30Z",
    "2024-05-17 10:20:30,           2024-05-17T10:20:30Z",
    "'Fri, 17 May 2024 10:20:30 +0200', 2024-05-17T08:20:30Z",
    "17 May 2024 10:20:30 GMT,      2024-05-17T10:20:30Z"
  })
  void readsDates(String text, Instant at) {
    assertThat(SitemapDates.instant(text)).isEqualTo(at);
  }

  @ParameterizedTest
  @CsvSource({"''", "now", "20xx", "2024-13", "2024-05-32", "2024-05-17T", "99999999999", "12345"})
  void leavesOutADateThatIsNone(String text) {
    assertThat(SitemapDates.instant(text)).isNull();
  }

  private static Sitemap parse(String text) {
    return SitemapReader.parse(text.getBytes(StandardCharsets.UTF_8), ADDRESS);
  }
}
