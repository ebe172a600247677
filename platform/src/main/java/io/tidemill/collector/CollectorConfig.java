package io.tidemill.collector;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.s3.BucketName;
import java.time.Duration;

/// Settings of the collector role, read from keys `collector.*`.
@Section("collector")
public record CollectorConfig(
    @Setting(value = "2", doc = "Batches that are loaded and analysed at once.") int parallel,
    @Setting(value = "crawl-results", doc = "Bucket of batches whose path names none (C5.3).")
        String bucket,
    @Setting(
            value = "5",
            doc =
                "Tries of a message that fails for a reason of its own (a field or its object is missing), before it goes to the dead letters.")
        int tries,
    @Setting(value = "1s", doc = "Pause before the second try; each later one is twice as long.")
        Duration retryDelay,
    @Setting(value = "30s", doc = "No pause between two tries is longer.") Duration maxRetryDelay,
    @Setting(
            value = "4GiB",
            doc = "The largest batch, unpacked; larger ones go to the dead letters.")
        ByteSize maxBytes,
    @Setting(
            value = "9m",
            doc =
                "How long a batch may take; RabbitMQ takes back what it has delivered half an hour ago.")
        Duration maxTime,
    @Setting(
            value = "",
            doc =
                "Exchange that gets a message `analyze.result` for each batch, such as `results.inbound`; empty = none.")
        String resultsExchange) {
  public CollectorConfig {
    atLeastOne("collector.parallel", parallel);
    atLeastOne("collector.tries", tries);
    more("collector.retry-delay", retryDelay);
    more("collector.max-time", maxTime);
    if (maxRetryDelay.compareTo(retryDelay) < 0) {
      throw new IllegalArgumentException(
          "collector.max-retry-delay is %s: expected at least collector.retry-delay, %s"
              .formatted(maxRetryDelay, retryDelay));
    }
    BucketName.check("collector.bucket", bucket);
    if (maxBytes.bytes() < 1) {
      throw new IllegalArgumentException("collector.max-bytes is 0: expected more");
    }
  }

  private static void atLeastOne(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(key + " is " + value + ": expected at least 1");
    }
  }

  private static void more(String key, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(key + " is " + value + ": expected more than 0");
    }
  }
}
