package io.tidemill.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.content.html.PageContent;
import io.tidemill.content.html.PageReader;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.url.WebUrl;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Pages of any kind: each is read, its text is collapsed, and its spans lie within it.
public final class PageReaderTarget {
  private static final String[] TYPES = {
    "text/html", "text/html; charset=utf-8", "application/rss+xml", "text/plain", "application/json"
  };
  private static final WebUrl URL = WebUrl.parse("https://example.org/a/b").orElseThrow();
  private static final PageReader READER =
      new PageReader(
          new LanguageDetector(),
          _ -> node -> node.getWholeText().length() % 2 == 0,
          InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")),
          "tidemill",
          1_000);

  private PageReaderTarget() {}

  /// Loads what the first page loads, which is not the first input's fault.
  public static void fuzzerInitialize() {
    READER.read(URL, "text/html", List.of(), "<p>Die Mühle am Meer mahlt das Mehl".getBytes(UTF_8));
  }

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var type = data.consumeInt(0, 9) == 0 ? null : data.pickValue(TYPES);
    var tags = List.of(data.consumeString(20));
    if (!(READER.read(URL, type, tags, data.consumeRemainingAsBytes())
        instanceof PageContent page)) {
      return;
    }
    var text = page.text().readable();
    if (text.length() > 1_000 || text.contains("  ") || text.contains("\n\n")) {
      throw new AssertionError("not collapsed: " + text);
    }
    var end = 0;
    for (var span : page.text().main()) {
      if (span.start() < end || span.end() <= span.start() || span.end() > text.length()) {
        throw new AssertionError(span + " of " + text.length());
      }
      end = span.end();
    }
  }
}
