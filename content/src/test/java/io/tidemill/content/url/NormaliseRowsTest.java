package io.tidemill.content.url;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.testing.Corpora;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// What other programs' normalisers answer, where they promise what we promise.
class NormaliseRowsTest {
  private static final UrlNormaliser NORMALISER =
      new UrlNormaliser(new UrlRules(false, true, false, false, List.of()));

  /// Sets of flags that name something else than our normal form, and why.
  private static final Map<String, String> OTHER_FLAGS =
      Map.ofEntries(
          Map.entry("idn=UNICODE", "hosts are ASCII here"),
          Map.entry("FlagRemoveTrailingSlash", "another page on some servers"),
          Map.entry("FlagAddTrailingSlash", "another page on some servers"),
          Map.entry("FlagRemoveDirectoryIndex", "another page on some servers"),
          Map.entry("FlagForceHTTP", "http and https are two pages"),
          Map.entry("FlagRemoveDuplicateSlashes", "another page on some servers"),
          Map.entry("FlagRemoveWWW", "another host"),
          Map.entry("FlagAddWWW", "another host"),
          Map.entry("FlagsAllGreedy", "holds the flags above"),
          Map.entry("FlagRemoveDefaultPort", "keeps the host's capitals and no path"),
          Map.entry("FlagLowercaseHost | FlagLowercaseScheme", "keeps the default port"));

  /// Rows that promise more than RFC 3986 does, by their input.
  private static final Map<String, String> OTHER_ROWS =
      Map.ofEntries(
          Map.entry("http://foo.com//aa/bb/foo.html", "merges slashes"),
          Map.entry("http://foo.com/aa//bb/foo.html", "merges slashes"),
          Map.entry("http://foo.com//aa//bb//foo.html", "merges slashes"),
          Map.entry("http://foo.com////aa////bb//foo.html", "merges slashes"),
          Map.entry("http:////", "no URL to a browser"),
          Map.entry("http:///////", "no URL to a browser"),
          Map.entry("foo.com/index.html", "no URL to a browser"),
          Map.entry("http://foo.com/index?a=1&b=", "b= and b are two queries"),
          Map.entry("http://foo.com/index?=1&b=1&a=1", "drops a parameter without a name"),
          Map.entry("http://test.example/?a=%e3%82%82%26", "leaves escapes in the query alone"),
          Map.entry("http://президент.рф", "writes no path"),
          Map.entry("http://ПРЕЗИДЕНТ.РФ", "writes no path"),
          Map.entry("http://é.com", "writes no path"));

  /// What w3lib does to queries: form encoding, with `+` for a space and `=` behind every name.
  private static final Set<String> FORM_ENCODED =
      Set.of(
          "http://www.example.com/do?b=&c&a=2",
          "http://www.example.com/do?1750,4",
          "http://www.example.com/do?q=a space&a=1",
          "http://www.example.com/do?q=a%20space&a=1");

  @Test
  void agreesWhereverItPromisesTheSame() {
    var wrong = new ArrayList<String>();
    var skipped = new TreeMap<String, Integer>();
    int checked = 0;
    for (var row : Corpora.lines("url/normalise-rows.jsonl")) {
      var input = input(row);
      var why = skip(row, input);
      if (!why.isEmpty()) {
        skipped.merge(why, 1, Integer::sum);
        continue;
      }
      checked++;
      var expected = row.path("expected").stringValue(null);
      var found = WebUrl.parse(input).map(NORMALISER::normalise).orElse(null);
      if (!String.valueOf(found).equals(String.valueOf(expected))) {
        wrong.add(input + ": " + found + ", expected " + expected + " by " + row.get("options"));
      }
    }
    LoggerFactory.getLogger(getClass()).info("{} rows; skipped: {}", checked, skipped);
    assertThat(wrong).isEmpty();
    assertThat(checked).isGreaterThan(70);
  }

  private static String input(JsonNode row) {
    if (row.has("input")) return row.get("input").stringValue();
    var bytes = Base64.getDecoder().decode(row.get("input_base64").stringValue());
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// Why a row is not ours; empty when it is.
  private static String skip(JsonNode row, String input) {
    var options = row.get("options").stringValue();
    var source = row.get("source").stringValue();
    for (var flag : options.split(" \\| ", -1)) {
      if (OTHER_FLAGS.containsKey(flag)) return OTHER_FLAGS.get(flag);
    }
    if (OTHER_FLAGS.containsKey(options)) return OTHER_FLAGS.get(options);
    if (OTHER_ROWS.containsKey(input)) return OTHER_ROWS.get(input);
    if (source.endsWith("url_query_cleaner")) return "keeps the parameters that it is told to";
    if (options.contains("keep_fragments")) return "keeps fragments";
    if (options.contains("query_separator")) return "splits queries at semicolons";
    if (options.contains("keep_blank_values")) return "drops parameters without a value";
    if (FORM_ENCODED.contains(input)) return "form encoding";
    if (source.endsWith("safe_url_string")) return "keeps ports, fragments and passwords";
    if (!input.strip().startsWith("http") && !input.startsWith("HTTP")) return "not http(s)";
    if (input.contains("user:pass") && source.contains("w3lib")) return "keeps passwords";
    return "";
  }
}
