package io.tidemill.crawler.scope;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// When a URL looks like a trap, read from keys `crawler.traps.*`.
@Section("crawler.traps")
public record TrapConfig(
    @Setting(value = "2000", doc = "The longest URL to follow.") int maxLength,
    @Setting(value = "20", doc = "The most folders in a path to follow.") int maxSegments,
    @Setting(value = "3", doc = "A folder's name this often in one path is a loop.")
        int repeatedSegments,
    @Setting(value = "12", doc = "The most query parameters to follow.") int maxParameters,
    @Setting(value = "2", doc = "Years ahead from which on a date in a URL is a calendar's.")
        int yearsAhead,
    @Setting(value = "50", doc = "Years ago up to which a calendar is followed.") int yearsBack,
    @Setting(value = "400", doc = "The most dates of one calendar in one crawl.") int maxDates) {

  /// The settings' own defaults.
  public static TrapConfig standard() {
    return new TrapConfig(2000, 20, 3, 12, 2, 50, 400);
  }
}
