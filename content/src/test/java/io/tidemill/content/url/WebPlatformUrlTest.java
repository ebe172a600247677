package io.tidemill.content.url;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.testing.Corpora;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The browsers' own test data (web-platform-tests).
class WebPlatformUrlTest {

  /// Every row counts whose base we can have: none, `http` or `https`. Rows with another base
  /// (file, sc, data …) are skipped: our pages have no such address. A row whose result has another
  /// scheme must come out as "nowhere we go".
  @Test
  void agreesOnEveryUrlWithAWebBase() {
    var wrong = new ArrayList<String>();
    int checked = 0;
    int skipped = 0;
    for (var row : rows("url/wpt-urltestdata.json")) {
      var base = row.path("base").stringValue(null);
      if (base != null && !base.startsWith("http")) {
        skipped++;
        continue;
      }
      checked++;
      var input = row.get("input").stringValue();
      var found = found(input, base).map(WebPlatformUrlTest::parts);
      if (!found.equals(expected(row))) {
        wrong.add(input + " on " + base + ": " + found + ", expected " + expected(row));
      }
    }
    LoggerFactory.getLogger(getClass()).info("{} rows, {} with another base", checked, skipped);
    assertThat(wrong).isEmpty();
    assertThat(checked).isGreaterThan(300);
  }

  private static Optional<WebUrl> found(String input, String base) {
    return base == null ? WebUrl.parse(input) : WebUrl.parse(base).orElseThrow().resolve(input);
  }

  private static List<String> parts(WebUrl url) {
    return List.of(
        url.scheme() + ":",
        url.host(),
        url.port() < 0 ? "" : String.valueOf(url.port()),
        url.path(),
        url.query() == null || url.query().isEmpty() ? "" : "?" + url.query(),
        url.fragment() == null || url.fragment().isEmpty() ? "" : "#" + url.fragment(),
        url.href());
  }

  private static Optional<List<String>> expected(JsonNode row) {
    if (row.path("failure").booleanValue(false)) return Optional.empty();
    if (!row.get("protocol").stringValue().matches("https?:")) return Optional.empty();
    return Optional.of(
        List.of(
            row.get("protocol").stringValue(),
            row.get("hostname").stringValue(),
            row.get("port").stringValue(),
            row.get("pathname").stringValue(),
            row.get("search").stringValue(),
            row.get("hash").stringValue(),
            withoutCredentials(row)));
  }

  private static String withoutCredentials(JsonNode row) {
    var href = row.get("href").stringValue();
    var start = row.get("protocol").stringValue() + "//";
    int host = href.indexOf(row.get("host").stringValue(), href.indexOf('@') + 1);
    boolean named =
        !(row.get("username").stringValue() + row.get("password").stringValue()).isEmpty();
    return named ? start + href.substring(host) : href;
  }

  @Test
  void writesDomainsInAscii() {
    var wrong = new ArrayList<String>();
    for (var row : rows("url/wpt-toascii.json")) {
      var input = row.get("input").stringValue();
      var expected = Optional.ofNullable(row.get("output").stringValue(null));
      var found = WebUrl.parse("https://" + input + "/x").map(WebUrl::host);
      if (!found.equals(expected)) wrong.add(input + ": " + found + ", expected " + expected);
    }
    assertThat(wrong).isEmpty();
  }

  /// Only the UTF-8 column: a page's own encoding is no concern of ours, links are read as UTF-8.
  @Test
  void escapesQueriesAsUtf8() {
    for (var row : rows("url/wpt-percent-encoding.json")) {
      var url = WebUrl.parse("https://a/?" + row.get("input").stringValue()).orElseThrow();
      assertThat(url.query()).isEqualTo(row.get("output").get("utf-8").stringValue());
    }
  }

  /// What a list of attacks against URL parsers looks like to a browser.
  @Test
  void seesTheHostThatABrowserSees() { // F47
    var wrong = new ArrayList<String>();
    for (var row : Corpora.lines("hostile/ssrf-urls.jsonl")) {
      var browser = row.get("whatwg");
      var scheme = browser.path("scheme").stringValue("");
      var expected =
          scheme.matches("https?:")
              ? Optional.of(browser.get("host").stringValue())
              : Optional.<String>empty();
      var url = row.get("url").stringValue();
      var found = WebUrl.parse(url).map(WebUrl::host);
      if (!found.equals(expected)) wrong.add(url + ": " + found + ", expected " + expected);
    }
    assertThat(wrong).isEmpty();
  }

  private static List<JsonNode> rows(String file) {
    var rows = JsonMapper.shared().readTree(Corpora.find(file).toFile());
    return rows.valueStream().filter(JsonNode::isObject).toList();
  }
}
