package io.tidemill.api;

import java.io.IOException;

/// A bounded or endless number of records that can be read as often as wanted, one at a time.
public interface Records {
  /// Begins at the first record; the caller closes it.
  RecordReader open() throws IOException;
}
