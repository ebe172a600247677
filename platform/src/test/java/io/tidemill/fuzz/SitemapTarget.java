package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.content.sitemap.SitemapReader;
import io.tidemill.content.url.WebUrl;
import java.nio.charset.StandardCharsets;

/// Sitemaps: whatever they hold, reading them ends.
public final class SitemapTarget {
  private static final WebUrl ADDRESS =
      WebUrl.parse("https://example.org/sitemap.xml").orElseThrow();
  private static final String[] STARTS = {
    "", "<urlset><url><loc>", "<rss><channel><item><link>", "<feed><entry><updated>"
  };

  private SitemapTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var text = data.pickValue(STARTS) + data.consumeRemainingAsString();
    SitemapReader.parse(text.getBytes(StandardCharsets.UTF_8), ADDRESS);
  }
}
