package io.tidemill.processor.record;

import java.io.IOException;

/// The data is not a sequence of records within the limits; a retry does not help.
public final class RecordsException extends IOException {
  private static final long serialVersionUID = 1L;

  public RecordsException(String message) {
    super(message);
  }

  RecordsException(String message, Throwable cause) {
    super(message, cause);
  }
}
