package io.tidemill.http.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Closes connections that take too long to send a request or to read a response, or are idle.
final class ConnectionWatch {
  private static final long SWEEP_NANOS = Duration.ofMillis(100).toNanos();

  private final Map<Thread, ConnectionDeadlines> connections = new ConcurrentHashMap<>();
  private volatile @Nullable Thread sweeper;

  void start() {
    var thread = Thread.ofPlatform().daemon().name("http-watch").unstarted(this::sweep);
    sweeper = thread; // before the start: the thread runs while it is the sweeper
    thread.start();
  }

  void stop() {
    var running = sweeper;
    sweeper = null;
    if (running != null) LockSupport.unpark(running);
  }

  /// Registers the connection of the calling thread; each connection has a thread of its own.
  void enter(ConnectionDeadlines connection) {
    connections.put(Thread.currentThread(), connection);
  }

  void leave() {
    connections.remove(Thread.currentThread());
  }

  /// Limits how long the calling thread's connection may go on sending.
  void linger(Duration limit) {
    var connection = connections.get(Thread.currentThread());
    if (connection != null) connection.linger(limit);
  }

  /// Ends the calling thread's connection once its response is written.
  void closeAfterAnswer() {
    var connection = connections.get(Thread.currentThread());
    if (connection != null) connection.closeAfterAnswer();
  }

  private void sweep() {
    while (Thread.currentThread().equals(sweeper)) {
      var now = ConnectionDeadlines.now();
      connections.values().forEach(connection -> connection.cutIfLate(now));
      LockSupport.parkNanos(SWEEP_NANOS);
    }
  }
}
