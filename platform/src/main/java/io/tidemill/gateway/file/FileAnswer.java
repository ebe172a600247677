package io.tidemill.gateway.file;

import io.tidemill.http.StreamBody;
import java.util.Map;

/// What becomes of a request for a file, or for a part of it (RFC 9110).
sealed interface FileAnswer {
  /// The object is no longer there.
  record Gone() implements FileAnswer {}

  /// The caller has this version already.
  record Unchanged(Map<String, String> headers) implements FileAnswer {}

  /// The file ends before the part that was asked for.
  record TooShort(long size) implements FileAnswer {}

  /// @param isPart whether it is less than the whole
  record Content(boolean isPart, String type, StreamBody body, Map<String, String> headers)
      implements FileAnswer {}
}
