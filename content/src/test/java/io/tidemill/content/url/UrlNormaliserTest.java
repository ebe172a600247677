package io.tidemill.content.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.booleans;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.strings;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlNormaliserTest {
  private static final UrlNormaliser STANDARD = new UrlNormaliser(UrlRules.standard());

  /// Pieces that urls are made of, the awkward ones above all.
  private static final List<String> PIECES =
      List.of(
          "/",
          "//",
          ".",
          "..",
          "%2e",
          "%2E%2e",
          "a",
          "B",
          "?",
          "&",
          "=",
          "#",
          "%",
          "%4",
          "%41",
          "%7E",
          "%c3%a9",
          "%2f",
          "%26",
          "é",
          " ",
          "[",
          "|",
          "'",
          "+",
          ";",
          "utm_source=x",
          "UTM_a",
          "%75tm_b=1",
          "gclid=1",
          ";jsessionid=1",
          "/..;jsessionid=2",
          "PHPSESSID=3",
          "a=2",
          "a=1",
          "b",
          "b=",
          ":",
          "@",
          "\\");

  @ParameterizedTest
  @CsvSource({ // C4.4
    "HTTP://Example.ORG/Some/Page,                http://example.org/some/page",
    "http://a:80/,                                http://a/",
    "http://a:8080,                               http://a:8080/",
    "http://a/b/../c/./d,                         http://a/c/d",
    "http://a./,                                  http://a/",
    "http://a/#top,                               http://a/",
    "http://a/?,                                  http://a/",
    "http://a/?&&,                                http://a/",
    "http://a/?b=2&A=1&b=1,                       http://a/?a=1&b=2&b=1",
    "http://a/%7Ejoe/%41%2F%C3%89,                http://a/~joe/a%2f%c3%89",
    "http://a/100%,                               http://a/100%25",
    "http://a/?x[y]=1|2,                          http://a/?x%5by%5d=1%7c2",
    "http://a/?utm_source=x&id=1&fbclid=y,        http://a/?id=1",
    "http://a/?UTM_Source=x&GCLID=1,              http://a/",
    "http://a/?%75tm_source=x,                    http://a/",
    "http://a/p;jsessionid=1A.b?q=1,              http://a/p?q=1",
    "http://a/p;JSESSIONID=1/q;x=1,               http://a/p/q;x=1",
    "http://a/?PHPSESSID=1&sid=7,                 http://a/?sid=7",
    "http://a/?sid=0123456789abcdef0123456789abcdef, http://a/"
  })
  void givesAPageOneName(String url, String name) {
    assertThat(normalise(STANDARD, url)).isEqualTo(name.toLowerCase(Locale.ROOT));
  }

  @Test
  void leavesOutOnlyWhatTheSettingsName() {
    var url = "http://a/P;jsessionid=1?b=%c3&A=1&utm_id=2&ref=3";

    assertThat(normalise(with(false, false, false, false), url))
        .isEqualTo("http://a/P;jsessionid=1?b=%C3&A=1&utm_id=2&ref=3");
    assertThat(normalise(with(true, false, false, false), url))
        .isEqualTo("http://a/p;jsessionid=1?b=%c3&a=1&utm_id=2&ref=3");
    assertThat(normalise(with(false, true, false, false), url))
        .isEqualTo("http://a/P;jsessionid=1?A=1&b=%C3&ref=3&utm_id=2");
    assertThat(normalise(with(false, false, true, false), url))
        .isEqualTo("http://a/P;jsessionid=1?b=%C3&A=1&ref=3");
    assertThat(normalise(with(false, false, false, true), url))
        .isEqualTo("http://a/P?b=%C3&A=1&utm_id=2&ref=3");
    assertThat(normalise(with(false, false, false, false, "ref", "utm_*"), url))
        .isEqualTo("http://a/P;jsessionid=1?b=%C3&A=1");
  }

  @Test
  void normalisingTwiceChangesNothing() {
    qt().withExamples(5_000)
        .forAll(
            lists().of(integers().between(0, PIECES.size() - 1)).ofSizeBetween(0, 14),
            booleans().all(),
            booleans().all(),
            booleans().all())
        .checkAssert((pieces, lower, sort, drop) -> {
          var path = String.join("", pieces.stream().map(PIECES::get).toList());
          assertStable(with(lower, sort, drop, drop), "http://Host.example/" + path);
        });
    qt().forAll(strings().allPossible().ofLengthBetween(0, 40))
        .checkAssert(text -> assertStable(STANDARD, "http://" + text));
  }

  private static void assertStable(UrlNormaliser normaliser, String text) {
    WebUrl.parse(text)
        .map(normaliser::normalise)
        .ifPresent(once -> assertThat(normalise(normaliser, once)).as(text).isEqualTo(once));
  }

  @Test
  void whatAUrlWritesIsReadBackTheSame() {
    qt().withExamples(5_000)
        .forAll(lists().of(integers().between(0, PIECES.size() - 1)).ofSizeBetween(0, 14))
        .checkAssert(pieces -> {
          var path = String.join("", pieces.stream().map(PIECES::get).toList());
          var url = WebUrl.parse("http://Host.example/" + path).orElseThrow();
          assertThat(WebUrl.parse(url.href())).hasValue(url);
          assertThat(url.resolve(url.href())).hasValue(url);
        });
  }

  private static UrlNormaliser with(
      boolean lower, boolean sort, boolean tracking, boolean sessions, String... more) {
    return new UrlNormaliser(new UrlRules(lower, sort, tracking, sessions, List.of(more)));
  }

  private static String normalise(UrlNormaliser normaliser, String url) {
    return normaliser.normalise(WebUrl.parse(url).orElseThrow());
  }
}
