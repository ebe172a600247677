package io.tidemill.content.url;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.support.CpuTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebUrlTest {
  private static final WebUrl PAGE =
      WebUrl.parse("https://example.org:8443/docs/guide/start.html?lang=en#top").orElseThrow();

  @Test
  void takesAUrlApart() {
    var url = WebUrl.parse("HTTPS://User:Secret@WWW.Example.ORG:8443/a/b?c=d#e").orElseThrow();

    assertThat(url)
        .isEqualTo(new WebUrl("https", "www.example.org", 8443, "/a/b", "c=d", "e"))
        .hasToString("https://www.example.org:8443/a/b?c=d#e");
    assertThat(url.origin()).isEqualTo("https://www.example.org:8443");
    assertThat(url.pathAndQuery()).isEqualTo("/a/b?c=d");
    assertThat(url.withoutFragment().href()).isEqualTo("https://www.example.org:8443/a/b?c=d");
  }

  @Test
  void connectsToTheSchemesOwnPort() {
    assertThat(WebUrl.parse("http://a/").orElseThrow().connectPort()).isEqualTo(80);
    assertThat(WebUrl.parse("https://a:443/").orElseThrow())
        .extracting(WebUrl::port, WebUrl::connectPort)
        .containsExactly(-1, 443);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a,                          http://a/",
    "'  http://a/b \n',                 http://a/b",
    "'ht\ntp://a/\tb',                  http://a/b",
    "http:\\\\a\\b\\..\\c,              http://a/c",
    "http:a/b,                          http://a/b",
    "http:////a/b,                      http://a/b",
    "http://a/./b/%2E/c/.%2e/d,         http://a/b/d",
    "http://a/b/..,                     http://a/",
    "http://a/../../b,                  http://a/b",
    "http://a/ü?ü#ü,                    http://a/%C3%BC?%C3%BC#%C3%BC",
    "http://a/ b?'c'#`,                 http://a/%20b?%27c%27#%60",
    "http://u@v:p@a/,                   http://a/",
    "http://BÜCHER.de/,                 http://xn--bcher-kva.de/",
    "http://b%C3%BCcher.de/,            http://xn--bcher-kva.de/",
    "http://faß.de/,                    http://xn--fa-hia.de/",
    "http://%31%32%37.1/,               http://127.0.0.1/",
    "http://0x7f.1/,                    http://127.0.0.1/",
    "http://2130706433/,                http://127.0.0.1/",
    "http://0177.0.0.1./,               http://127.0.0.1/",
    "http://１２７.0.0.1/,               http://127.0.0.1/",
    "http://[0:0:0:0:0:0:0:1]/,         http://[::1]/",
    "http://[::FFFF:127.0.0.1]/,        http://[::ffff:7f00:1]/",
    "http://[1:0:0:2:0:0:0:3]/,         http://[1:0:0:2::3]/",
    "http://[1::]/,                     http://[1::]/"
  })
  void readsAsABrowserDoes(String text, String href) {
    assertThat(WebUrl.parse(text)).map(WebUrl::href).hasValue(href);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "/a",
        "//a/b",
        "http://",
        "http:///",
        "http://?q",
        "http://@/",
        "http://:80/",
        "http://a b/",
        "http://a%20b/",
        "http://a:b/",
        "http://a:65536/",
        "http://a:99999999999999/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://[::1/",
        "http://[::1]x/",
        "http://[1:2]/",
        "http://[::1::]/",
        "http://\u00AD/",
        "http://\uFFFD.com/",
        "ftp://a/",
        "mailto:a@b.c",
        "javascript:alert(1)",
        "data:text/html,<p>",
        "file:///etc/passwd",
        "about:blank"
      })
  void leadsNowhereWeGo(String text) {
    assertThat(WebUrl.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "other.html,        https://example.org:8443/docs/guide/other.html",
        "./,                https://example.org:8443/docs/guide/",
        "../x,              https://example.org:8443/docs/x",
        "../../../x,        https://example.org:8443/x",
        "/x,                https://example.org:8443/x",
        "\\x,               https://example.org:8443/x",
        "//b.org/x,         https://b.org/x",
        "\\\\b.org/x,       https://b.org/x",
        "?q=1,              https://example.org:8443/docs/guide/start.html?q=1",
        "#end,              https://example.org:8443/docs/guide/start.html?lang=en#end",
        "'',                https://example.org:8443/docs/guide/start.html?lang=en",
        "https:x,           https://example.org:8443/docs/guide/x",
        "http:x,            http://x/",
        "https://example.org:8443/y, https://example.org:8443/y",
        "http://example.org/y,       http://example.org/y",
        "a:b,               -",
        "1:b,               https://example.org:8443/docs/guide/1:b",
        "tel:+1,            -"
      })
  void resolvesLinksOfAPage(String link, String href) {
    assertThat(PAGE.resolve(link).map(WebUrl::href)).isEqualTo(Optional.ofNullable(href));
  }

  @Test
  void refusesALongForeignNameQuickly() { // F49
    var url = "http://" + "ü".repeat(1_000_000) + "/";

    var time = CpuTime.of(() -> assertThat(WebUrl.parse(url)).isEmpty());

    assertThat(time).isLessThan(Duration.ofSeconds(1));
  }
}
