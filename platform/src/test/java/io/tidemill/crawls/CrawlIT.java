package io.tidemill.crawls;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.TestSite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// From a crawl request to a search result, over real servers and a real site.
class CrawlIT {
  private static CrawlPlatform platform;

  @BeforeAll
  static void start() {
    platform = CrawlPlatform.whole();
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  @Test
  void findsAPageSecondsAfterItWasAskedFor() throws Exception {
    try (var site = TestSite.start()) {
      site.page("/", "<title>Harbour</title><p>The Lighthouse keeper counts ships at night.</p>");

      var crawl = platform.awaitEnd(platform.crawl(site.url("/")));

      assertThat(crawl.get("status").stringValue()).isEqualTo("completed");
      assertThat(crawl.at("/result/title").stringValue()).isEqualTo("Harbour");
      var hit = platform.awaitFound("lighthouse", 1).at("/hits/0");
      assertThat(hit.get("title").stringValue()).isEqualTo("Harbour");
      assertThat(hit.get("snippet").stringValue()).contains("The <em>Lighthouse</em> keeper");
      assertThat(hit.get("crawlId").stringValue()).isEqualTo(crawl.get("id").stringValue());
    }
  }
}
