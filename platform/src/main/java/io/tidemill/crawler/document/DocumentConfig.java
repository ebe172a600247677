package io.tidemill.crawler.document;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;

/// Settings of reading PDF, Office and other documents, read from keys `documents.*`.
@Section("documents")
public record DocumentConfig(
    @Setting(
            value = "1",
            doc = "Child processes that read documents at once; started on first use.")
        int children,
    @Setting(value = "256MiB", doc = "The heap of one such child.") ByteSize heap,
    @Setting(value = "30s", doc = "How long one document may take; its child is killed then.")
        Duration timeout,
    @Setting(value = "20MiB", doc = "The largest document that is read.") ByteSize maxInput,
    @Setting(value = "2000000", doc = "Characters of text kept of one document.") int maxText) {
  public DocumentConfig {
    atLeast("documents.children", children, 1);
    atLeast("documents.max-text", maxText, 1);
    atLeast("documents.heap", heap.bytes(), 16L * 1024 * 1024);
    atLeast("documents.timeout", timeout.toMillis(), 1);
    if (maxInput.bytes() > 1L << 30) {
      throw new IllegalArgumentException("documents.max-input: expected 1GiB or less");
    }
  }

  private static void atLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " is " + value + ": expected at least " + least);
    }
  }
}
