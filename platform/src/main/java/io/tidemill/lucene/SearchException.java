package io.tidemill.lucene;

import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.LockObtainFailedException;

/// A failure to read or write an index.
public final class SearchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isElsewhere;

  public SearchException(String message, Throwable cause) {
    super(message, cause);
    isElsewhere = false;
  }

  private SearchException(String message) {
    super(message);
    isElsewhere = true;
  }

  /// The index is not in the folder of this process.
  ///
  /// @param message where it is, and what to do
  public static SearchException elsewhere(String message) {
    return new SearchException(message);
  }

  /// Whether the index is where this process can't see it: trying again does not help.
  public boolean isElsewhere() {
    return isElsewhere;
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
