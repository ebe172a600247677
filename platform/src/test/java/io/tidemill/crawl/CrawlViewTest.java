package io.tidemill.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.json.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.NullNode;

class CrawlViewTest {
  private static final Crawl CRAWL =
      new Crawl(
          "c1",
          "https://example.org/",
          "a@example.org",
          CrawlStatus.PENDING,
          NullNode.getInstance(),
          "2026-01-01T00:00:00.000Z",
          Json.object());

  @Test
  void saysWhatTheCrawlWasAskedForAsItWasAsked() {
    var body =
        """
        {"url":"https://example.org/","email":"a@example.org","maxPages":7,"maxDepth":2,
         "include":["/a","/b"],"scope":"domain","sitemaps":true,"project":"7"}\
        """;
    var fields = new HashMap<String, byte[]>();
    if (CrawlCodec.decodeSubmission(body.getBytes(UTF_8))
        instanceof Decoded.Message<CrawlSubmission>(var submission)) {
      CrawlCodec.encodeOptions(submission.options())
          .forEach((name, text) -> fields.put("option:" + name, text.getBytes(UTF_8)));
    }

    var options = CrawlView.of(CRAWL, Optional.of(CrawlRecord.decode("c1", fields))).get("options");

    assertThat(options)
        .isEqualTo(
            Json.parse(
                """
                {"maxPages":7,"maxDepth":2,"include":["/a","/b"],"scope":"domain","sitemaps":true,"project":"7"}\
                """));
  }

  @Test
  void aSinglePageHasNoOptions() {
    var record = CrawlRecord.decode("c1", Map.of("fetched", "1".getBytes(UTF_8)));

    assertThat(CrawlView.of(CRAWL, Optional.of(record)).has("options")).isFalse();
  }
}
