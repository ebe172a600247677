package io.tidemill.fetch;

/// What one request brought.
sealed interface Reply {
  record Redirect(String location) implements Reply {}

  @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
  record Content(int status, Headers headers, byte[] body, boolean isCut, long wireBytes)
      implements Reply {}
}
