package io.tidemill.dashboard.recordsearch;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// Settings of the record search, read from keys `find.*`.
@Section("find")
public record FindConfig(
    @Setting(
            value = "100000",
            doc =
                "Jobs, workflows, tasks, crawls and dead letters that can be found at most; the oldest are forgotten.")
        int keep) {
  public FindConfig {
    if (keep < 1 || keep > 10_000_000) {
      throw new IllegalArgumentException("find.keep is " + keep + ": expected 1 to 10000000");
    }
  }
}
