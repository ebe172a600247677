package io.tidemill.api;

import java.io.Closeable;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/// Takes records in order; closing without [#finish] leaves nothing behind.
public interface RecordWriter extends Closeable {
  void write(JsonNode record) throws IOException;

  /// Everything written so far, kept for good.
  Records finish() throws IOException;
}
