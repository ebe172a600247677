package io.tidemill.processor.step;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.contract.crawl.Email;

/// Settings of workflow steps, read from keys `steps.*`.
@Section("steps")
public record StepsConfig(
    @Setting(
            value = "workflow@localhost",
            doc =
                "Whose crawls those are that a workflow or a tool starts without naming an email.")
        String crawlOwner,
    @Setting(value = "1000", doc = "Crawls that one crawl step may start.") int maxCrawls) {
  public StepsConfig {
    try {
      crawlOwner = Email.parse(crawlOwner).text();
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("steps.crawl-owner: " + wrong.getMessage(), wrong);
    }
    if (maxCrawls < 1 || maxCrawls > 10_000) {
      throw new IllegalArgumentException(
          "steps.max-crawls is " + maxCrawls + ": expected 1 to 10000");
    }
  }
}
