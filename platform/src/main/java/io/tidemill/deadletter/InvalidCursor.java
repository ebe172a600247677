package io.tidemill.deadletter;

/// Thrown for a cursor that no page of this source can have ended with.
public final class InvalidCursor extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidCursor(String cursor) {
    super("no page ends with " + cursor);
  }
}
