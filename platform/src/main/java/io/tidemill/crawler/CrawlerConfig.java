package io.tidemill.crawler;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.content.url.Cidr;
import io.tidemill.crawl.Frontier.PolitenessPolicy;
import io.tidemill.crawl.PageTransition;
import io.tidemill.kafka.consumer.KeyedSettings.Membership;
import io.tidemill.s3.BucketName;
import java.time.Duration;
import java.util.List;

/// Settings of the crawler role, read from keys `crawler.*`.
@Section("crawler")
public record CrawlerConfig(
    @Setting(value = "256", doc = "Pages that one crawler process fetches at once.") int fetchers,
    @Setting(
            value = "1s",
            doc = "Pause between two pages of a host whose robots.txt names no Crawl-delay.")
        Duration defaultDelay,
    @Setting(value = "60s", doc = "The longest Crawl-delay that is obeyed.") Duration maxDelay,
    @Setting(
            value = "4",
            doc = "Pages of one host that all crawlers together fetch at once, pauses kept.")
        int perHost,
    @Setting(
            value = "",
            doc =
                "Networks (CIDR) that may be fetched from although they are not public, such as 10.0.0.0/8; empty = none.")
        List<String> allowNetworks,
    @Setting(value = "100000", doc = "The most pages of one crawl; who asks for more is refused.")
        int maxPages,
    @Setting(
            value = "1h",
            doc =
                "How long a fetched URL counts as crawled: what was found then is used instead of fetching it.")
        Duration seenTtl,
    @Setting(value = "30d", doc = "How long the version of a page is remembered (ETag and so on).")
        Duration remember,
    @Setting(value = "4", doc = "Attempts at one page before it is given up.") int maxAttempts,
    @Setting(
            value = "2s",
            doc = "Pause before a failed page is tried again; it doubles with each attempt.")
        Duration retryDelay,
    @Setting(
            value = "15s",
            doc =
                "How long a crawler may stay silent before others take over its pages; it renews three times as often.")
        Duration lease,
    @Setting(
            value = "30s",
            doc =
                "How long a silent crawler keeps its part of the new requests, before others read them.")
        Duration sessionTimeout,
    @Setting(
            value = "text",
            doc =
                "What a response carries as scrapedData of a single page: text for the page's text as a string, or object; requests with options of ours always get objects.")
        String scrapedData,
    @Setting(value = "true", doc = "Whether pages are kept in the object store and announced.")
        boolean batches,
    @Setting(value = "50", doc = "Pages that are kept together.") int batchSize,
    @Setting(value = "crawl-results", doc = "The bucket of the batches.") String bucket,
    @Setting(
            value = "name",
            doc =
                "What announced batches have as project_id: name, or uuid for a UUIDv5 of the name; analytics show the name either way.")
        String projectIds,
    @Setting(value = "7d", doc = "How long an ended crawl's progress is kept.") Duration keep,
    @Setting(
            value = "20s",
            doc = "How long a stopping crawler waits for pages in flight before it hands them on.")
        Duration stopTimeout) {
  public CrawlerConfig {
    allowNetworks = List.copyOf(allowNetworks);
    allowNetworks.forEach(CrawlerConfig::checkNetwork);
    checkProjectIds(projectIds);
    atLeast("crawler.fetchers", fetchers, 1);
    atLeast("crawler.max-pages", maxPages, 1);
    atLeast("crawler.per-host", perHost, 1);
    atLeast("crawler.max-attempts", maxAttempts, 1);
    atLeast("crawler.batch-size", batchSize, 1);
    notNegative("crawler.default-delay", defaultDelay);
    notNegative("crawler.max-delay", maxDelay);
    if (retryDelay.toMillis() < 1) {
      throw new IllegalArgumentException(
          "crawler.retry-delay is " + retryDelay + ": expected more than 0");
    }
    notNegative("crawler.stop-timeout", stopTimeout);
    if (lease.toMillis() < 100) {
      throw new IllegalArgumentException("crawler.lease is " + lease + ": expected 100 ms or more");
    }
    if (sessionTimeout.toMillis() < 1_000) {
      throw new IllegalArgumentException(
          "crawler.session-timeout is " + sessionTimeout + ": expected 1 s or more");
    }
    if (seenTtl.toMillis() < 1) {
      throw new IllegalArgumentException(
          "crawler.seen-ttl is " + seenTtl + ": expected more than 0");
    }
    BucketName.check("crawler.bucket", bucket);
    if (!scrapedData.equals("object") && !scrapedData.equals("text")) {
      throw new IllegalArgumentException(
          "crawler.scraped-data is '" + scrapedData + "': expected object or text");
    }
  }

  private static void checkProjectIds(String value) {
    if (!value.equals("name") && !value.equals("uuid")) {
      throw new IllegalArgumentException(
          "crawler.project-ids is '" + value + "': expected name or uuid");
    }
  }

  private static void checkNetwork(String text) {
    try {
      var _ = Cidr.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("crawler.allow-networks: " + wrong.getMessage(), wrong);
    }
  }

  private static void atLeast(String key, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " is " + value + ": expected at least " + least);
    }
  }

  private static void notNegative(String key, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(key + " is " + value + ": expected 0 or more");
    }
  }

  /// What the frontier keeps to.
  public PolitenessPolicy politeness() {
    return new PolitenessPolicy(lease, defaultDelay, perHost, seenTtl, keep, batchSize, remember);
  }

  PageTransition transition() {
    return new PageTransition(maxAttempts, retryDelay);
  }

  Membership membership() {
    return new Membership(
        sessionTimeout, sessionTimeout.dividedBy(10), Duration.ofMinutes(5), Duration.ofSeconds(5));
  }

  boolean answersWithText() {
    return scrapedData.equals("text");
  }

  boolean sendsProjectUuids() {
    return projectIds.equals("uuid");
  }
}
