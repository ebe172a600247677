package io.tidemill.http;

import java.io.IOException;
import java.io.OutputStream;

/// Writes an answer piece by piece.
@FunctionalInterface
public interface StreamBody {
  /// What it throws cuts the connection: the client sees that something is missing.
  void writeTo(OutputStream out) throws IOException;
}
