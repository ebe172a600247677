package io.tidemill.lucene;

import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.LockObtainFailedException;

/// A failure to read or write an index.
public final class SearchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SearchException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Whether another process has locked it.
  public boolean isTaken() {
    return getCause() instanceof LockObtainFailedException;
  }

  /// Whether its files are damaged.
  public boolean isDamaged() {
    return getCause() instanceof CorruptIndexException;
  }
}
