package io.tidemill.lucene;

import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.LockObtainFailedException;

/// The index did not do what was asked.
public final class SearchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SearchException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Whether another process is at it.
  public boolean isTaken() {
    return getCause() instanceof LockObtainFailedException;
  }

  /// Whether its files are not what they should be.
  public boolean isDamaged() {
    return getCause() instanceof CorruptIndexException;
  }
}
