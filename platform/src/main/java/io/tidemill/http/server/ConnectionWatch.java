package io.tidemill.http.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Closes connections that take too long: to send a request, to read an answer, or to do anything
/// at all.
final class ConnectionWatch {
  private static final long SWEEP_NANOS = Duration.ofMillis(100).toNanos();

  private final Map<Thread, ConnectionDeadlines> connections = new ConcurrentHashMap<>();
  private volatile @Nullable Thread sweeper;

  void start() {
    var thread = Thread.ofPlatform().daemon().name("http-watch").unstarted(this::sweep);
    sweeper = thread; // before it starts: it runs only while it is the sweeper
    thread.start();
  }

  void stop() {
    var running = sweeper;
    sweeper = null;
    if (running != null) LockSupport.unpark(running);
  }

  /// Each connection has its own thread, so the thread is its name.
  void enter(ConnectionDeadlines connection) {
    connections.put(Thread.currentThread(), connection);
  }

  void leave() {
    connections.remove(Thread.currentThread());
  }

  /// The connection of the calling thread gets this long to send what it still wants to send.
  void linger(Duration limit) {
    var connection = connections.get(Thread.currentThread());
    if (connection != null) connection.linger(limit);
  }

  /// The connection of the calling thread ends once its answer is out.
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
