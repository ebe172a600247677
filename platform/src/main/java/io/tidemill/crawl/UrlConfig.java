package io.tidemill.crawl;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.content.url.UrlRules;
import java.util.List;

/// How a URL becomes the identity of its page, read from keys `crawler.url.*` (C4.4).
@Section("crawler.url")
public record UrlConfig(
    @Setting(
            value = "true",
            doc =
                "Whether a page's identity is all lower case, percent escapes too; the page itself is fetched as its link is written.")
        boolean lowerCase,
    @Setting(value = "true", doc = "Whether the order of query parameters makes no other page.")
        boolean sortQuery,
    @Setting(
            value = "true",
            doc = "Whether utm_*, gclid, fbclid and their like are left out of a page's identity.")
        boolean dropTracking,
    @Setting(
            value = "true",
            doc = "Whether session ids such as jsessionid are left out of a page's identity.")
        boolean dropSessions,
    @Setting(
            value = "",
            doc = "More query parameters to leave out; a star at the end stands for the rest.")
        List<String> dropParameters) {
  public UrlConfig {
    dropParameters = List.copyOf(dropParameters);
  }

  /// What a normaliser does under these settings.
  public UrlRules rules() {
    return new UrlRules(lowerCase, sortQuery, dropTracking, dropSessions, dropParameters);
  }
}
