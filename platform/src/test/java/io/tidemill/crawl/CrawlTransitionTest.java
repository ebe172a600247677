package io.tidemill.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.crawl.CrawlCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrawlTransitionTest {
  private static final String CANCELED = "{\"success\":false,\"errorMessage\":\"canceled\"}";

  // The hash as `field=value` between blanks, whether a text is wanted, and the response.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "state=canceled fetched=3 | false | " + CANCELED,
        "state=canceled fetched=3 data={\"text\":\"t\"} | true | " + CANCELED,
        "state=ending fetched=1 data={\"text\":\"t\"} | false | {\"success\":true,\"scrapedData\":{\"text\":\"t\"}}",
        "state=ending fetched=1 data={\"text\":\"t\"} | true | {\"success\":true,\"scrapedData\":\"t\"}",
        "state=ending fetched=1 | false | {\"success\":true,\"scrapedData\":{}}",
        "state=ending fetched=0 | false | {\"success\":false,\"errorMessage\":\"no page could be fetched\"}",
        "state=ending fetched=0 data={\"errorMessage\":\"gone\"} | false | {\"success\":false,\"errorMessage\":\"gone\"}",
        "state=ending fetched=1 data={\"text\":\"t\"} option:recrawl=true | true | {\"success\":true,\"scrapedData\":{\"text\":\"t\"}}",
        "state=ending fetched=0 seen=0\tc0 | true | {\"success\":false,\"errorMessage\":\"no page could be fetched\"}",
        "state=ending fetched=0 seen=0\tc0 data={\"text\":\"t\",\"title\":\"T\"} | true | {\"success\":true,\"scrapedData\":\"t\"}",
        "state=ending fetched=0 seen=0\tc0 data={\"text\":\"t\",\"fetchedAt\":\"f\"} | false | {\"success\":true,\"scrapedData\":{\"text\":\"t\",\"fetchedAt\":\"f\",\"alreadyCrawled\":true,\"crawlId\":\"c0\"}}",
        "state=ending option:maxPages=5 fetched=0 skipped=1 seen=0\tc0 url=u | true | {\"success\":true,\"scrapedData\":{\"url\":\"u\",\"found\":0,\"fetched\":0,\"skipped\":1,\"failed\":0,\"bytes\":0,\"pages\":[{\"url\":\"p\"}],\"fetchedAt\":\"1970-01-01T00:00:00.000Z\",\"alreadyCrawled\":true,\"crawlId\":\"c0\"}}",
        "state=ending option:maxPages=5 fetched=2 found=4 skipped=1 failed=1 bytes=9 url=u | true | {\"success\":true,\"scrapedData\":{\"url\":\"u\",\"found\":4,\"fetched\":2,\"skipped\":1,\"failed\":1,\"bytes\":9,\"pages\":[{\"url\":\"p\"}]}}",
        "state=ending option:maxPages=5 fetched=1 stopped_by=maxBytes url=u | false | {\"success\":true,\"scrapedData\":{\"url\":\"u\",\"found\":0,\"fetched\":1,\"skipped\":0,\"failed\":0,\"bytes\":0,\"stoppedBy\":\"maxBytes\",\"pages\":[{\"url\":\"p\"}]}}",
        "state=ending option:maxPages=5 fetched=0 data={\"errorMessage\":\"gone\"} | false | {\"success\":false,\"errorMessage\":\"gone\"}",
        "state=ending option:dryRun=true fetched=0 data={\"preview\":{}} | true | {\"success\":true,\"scrapedData\":{\"preview\":{}}}",
        "state=ending option:dryRun=true fetched=0 data={\"errorMessage\":\"gone\"} | false | {\"success\":false,\"errorMessage\":\"gone\"}",
        "unknown=1 | false | {\"success\":false,\"errorMessage\":\"no page could be fetched\"}"
      })
  void decidesWhatACrawlResponds(String hash, boolean asText, String response) {
    var crawl = CrawlRecord.decode("c1", fields(hash));

    var decided = CrawlTransition.after(crawl, List.of("{\"url\":\"p\"}"), asText);

    assertThat(new String(CrawlCodec.encodeResponse(decided), UTF_8)).isEqualTo(response);
  }

  private static Map<String, byte[]> fields(String hash) {
    var fields = new HashMap<String, byte[]>();
    for (var field : hash.strip().split(" ", -1)) {
      var at = field.indexOf('=');
      fields.put(field.substring(0, at), field.substring(at + 1).getBytes(UTF_8));
    }
    return fields;
  }
}
