package io.tidemill.store.search;

/// The index did not do what was asked.
public final class SearchException extends RuntimeException {
  public SearchException(String message, Throwable cause) {
    super(message, cause);
  }
}
