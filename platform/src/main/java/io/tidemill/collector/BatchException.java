package io.tidemill.collector;

/// A batch that can't be read, for a reason that lies in itself.
final class BatchException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean isFinal;

  private BatchException(String message, boolean isFinal) {
    super(message);
    this.isFinal = isFinal;
  }

  /// It may be replaced by a better one.
  static BatchException broken(String message) {
    return new BatchException(message, false);
  }

  /// No other try will do better.
  static BatchException permanent(String message) {
    return new BatchException(message, true);
  }

  boolean isFinal() {
    return isFinal;
  }
}
