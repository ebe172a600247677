package io.tidemill.fetch;

import io.tidemill.fetch.connection.FetchException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Bytes that grow up to a limit, paid from a fetch's share of the memory.
///
/// Writers put at most [#free] bytes into [#array] behind [#length], then call [#wrote].
final class BoundedBytes {
  private static final int LEAST_GROWTH = 8 * 1024;

  private final MemoryBudget.Share share;
  private final int limit;
  private byte[] array;
  private int length;
  private boolean isLent;
  private boolean isOverrun;

  private BoundedBytes(byte[] array, boolean isLent, long limit, MemoryBudget.Share share) {
    this.array = array;
    this.isLent = isLent;
    this.limit = (int) limit;
    this.share = share;
  }

  /// Starts in a pooled array.
  static BoundedBytes in(byte[] scratch, long limit, MemoryBudget.Share share)
      throws FetchException {
    share.take(scratch.length);
    return new BoundedBytes(scratch, true, limit, share);
  }

  /// Starts in an array of its own.
  static BoundedBytes ofCapacity(int capacity, long limit, MemoryBudget.Share share)
      throws FetchException {
    share.take(capacity);
    return new BoundedBytes(new byte[capacity], false, limit, share);
  }

  byte[] array() {
    return array;
  }

  int length() {
    return length;
  }

  /// Free bytes behind the last one.
  int free() {
    return array.length - length;
  }

  private void grow() throws FetchException {
    // One more than the limit: the byte that shows that there is too much.
    var next = (int) Math.min(limit + 1L, Math.max(LEAST_GROWTH, array.length * 2L));
    share.take(next);
    var old = array.length;
    array = Arrays.copyOf(array, Math.max(next, length + 1));
    isLent = false;
    share.give(old);
  }

  void wrote(int count) {
    length += count;
  }

  /// Reads what comes next; false at the end.
  boolean readFrom(InputStream in) throws IOException, FetchException {
    if (free() == 0) grow();
    var count = in.read(array, length, free());
    if (count <= 0) return false;
    length += count;
    return true;
  }

  void write(byte value) throws FetchException {
    if (free() == 0) grow();
    array[length++] = value;
  }

  /// Whether there was more than the limit.
  boolean isOver() {
    return isOverrun || length > limit;
  }

  /// Says that there was more, which was not even read.
  void overrun() {
    isOverrun = true;
  }

  void cut() {
    length = Math.min(length, limit);
  }

  /// Exactly the bytes; of no use for writing after that.
  byte[] take() {
    return !isLent && length == array.length ? array : Arrays.copyOf(array, length);
  }
}
