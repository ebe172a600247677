package io.tidemill.processor.record;

import java.io.IOException;

/// What was to be read or written is not a number of records within our limits; trying again does
/// not help.
public final class RecordsException extends IOException {
  private static final long serialVersionUID = 1L;

  public RecordsException(String message) {
    super(message);
  }

  RecordsException(String message, Throwable cause) {
    super(message, cause);
  }
}
