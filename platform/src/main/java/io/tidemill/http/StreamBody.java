package io.tidemill.http;

import java.io.IOException;
import java.io.OutputStream;

/// Writes a response piece by piece.
@FunctionalInterface
public interface StreamBody {
  /// An exception cuts the connection, so that the client notices the missing rest.
  void writeTo(OutputStream out) throws IOException;
}
