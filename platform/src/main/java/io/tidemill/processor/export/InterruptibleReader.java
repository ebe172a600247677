package io.tidemill.processor.export;

import io.tidemill.api.RecordReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads on until somebody interrupts.
final class InterruptibleReader implements AutoCloseable {
  private final RecordReader reader;

  InterruptibleReader(RecordReader reader) {
    this.reader = reader;
  }

  @Nullable JsonNode next() throws IOException, InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    return reader.next();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
