package io.tidemill.api;

import java.io.IOException;

/// Records that can be read repeatedly, one at a time.
public interface Records {
  /// Begins at the first record; the caller closes it.
  RecordReader open() throws IOException;
}
