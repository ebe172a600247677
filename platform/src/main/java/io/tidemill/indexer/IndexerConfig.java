package io.tidemill.indexer;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;

/// Settings of the indexer role, read from keys `indexer.*`.
@Section("indexer")
public record IndexerConfig(
    @Setting(value = "100", doc = "Pages that are committed to the index together at most.")
        int batch,
    @Setting(
            value = "200ms",
            doc = "How long a page waits for others to be committed with it at most.")
        Duration linger,
    @Setting(value = "32MiB", doc = "Pages that the indexer holds in memory at once, about.")
        ByteSize maxBytes,
    @Setting(
            value = "5",
            doc =
                "Tries of a page that fails while others get through, before it goes to the dead letters.")
        int tries,
    @Setting(
            value = "5m",
            doc =
                "How long the indexer of another index folder must have been silent before this one goes"
                    + " on in its place; until then pages are not split between the two.")
        Duration takeOver) {
  public IndexerConfig {
    atLeastOne("indexer.batch", batch);
    atLeastOne("indexer.tries", tries);
    if (takeOver.isNegative()) {
      throw new IllegalArgumentException(
          "indexer.take-over is " + takeOver + ": expected 0 or more");
    }
    if (maxBytes.bytes() < 1) {
      throw new IllegalArgumentException("indexer.max-bytes is 0: expected more");
    }
  }

  private static void atLeastOne(String key, int value) {
    if (value < 1)
      throw new IllegalArgumentException(key + " is " + value + ": expected at least 1");
  }
}
