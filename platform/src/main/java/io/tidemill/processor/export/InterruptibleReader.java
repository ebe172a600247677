package io.tidemill.processor.export;

import io.tidemill.api.RecordReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A reader that stops when the thread is interrupted.
record InterruptibleReader(RecordReader reader) implements AutoCloseable {
  @Nullable JsonNode next() throws IOException, InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    return reader.next();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
