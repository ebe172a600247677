package io.tidemill.fetch.connection;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The end of one fetch: when it comes, the socket in use is closed under the fetch's hands, which
/// is the one thing that stops a host that sends a byte now and then.
public final class FetchDeadline implements AutoCloseable {
  private final long endNanos;
  private volatile @Nullable Future<?> alarm;
  private @Nullable Socket socket;
  private volatile boolean isOver;

  public FetchDeadline(long endNanos) {
    this.endNanos = endNanos;
  }

  void alarm(Future<?> set) {
    alarm = set;
  }

  public long leftNanos() {
    return isOver ? 0 : Math.max(0, endNanos - System.nanoTime());
  }

  /// What is left of the time, but not more than that; at least 1.
  public int leftMillis(long most) {
    return (int) Math.clamp(TimeUnit.NANOSECONDS.toMillis(leftNanos()), 1, most);
  }

  boolean isOver() {
    return isOver || endNanos - System.nanoTime() <= 0;
  }

  public void check() throws FetchException {
    if (isOver()) throw new FetchException(FetchFailure.TIMEOUT, "the fetch took too long");
  }

  /// Closes that socket instead of the one before, when the time comes.
  public synchronized void watch(Socket next) {
    socket = next;
    if (isOver) close(next);
  }

  /// Closes no socket any more: the next fetch may be using it.
  public synchronized void unwatch() {
    socket = null;
  }

  synchronized void expire() {
    isOver = true;
    if (socket != null) close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed all the same.
    }
  }

  @Override
  public void close() {
    unwatch();
    var set = alarm;
    if (set != null) set.cancel(false);
  }
}
