package io.tidemill.api;

import java.io.Closeable;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/// Writes records in order; closing without [#finish] discards them.
public interface RecordWriter extends Closeable {
  void write(JsonNode record) throws IOException;

  /// Stores everything written and returns it.
  Records finish() throws IOException;
}
