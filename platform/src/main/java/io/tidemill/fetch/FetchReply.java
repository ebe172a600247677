package io.tidemill.fetch;

/// What one request brought.
sealed interface FetchReply {
  record Redirect(String location) implements FetchReply {}

  @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
  record Content(int status, HttpHeaders headers, byte[] body, boolean isCut, long wireBytes)
      implements FetchReply {}
}
