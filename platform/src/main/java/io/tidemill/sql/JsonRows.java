package io.tidemill.sql;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Records as JSON texts, one at a time.
public interface JsonRows extends Closeable {
  /// The next; null after the last.
  @Nullable String next() throws IOException;
}
