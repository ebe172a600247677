package io.tidemill.api;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads records in order.
public interface RecordReader extends Closeable {
  /// The next record; null after the last.
  @Nullable JsonNode next() throws IOException;
}
