package io.tidemill.http.server;

import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;

/// Helidon's connection, registered with [ConnectionWatch] while it is handled.
final class WatchedConnection implements ServerConnection, InterruptableTask<Void> {
  private final ConnectionWatch watch;
  private final ConnectionDeadlines deadlines;
  private final ServerConnection connection;

  WatchedConnection(
      ConnectionWatch watch, ConnectionDeadlines deadlines, ServerConnection connection) {
    this.watch = watch;
    this.deadlines = deadlines;
    this.connection = connection;
  }

  @Override
  public void handle(Limit limit) throws InterruptedException {
    watch.enter(deadlines);
    try {
      connection.handle(limit);
    } catch (RuntimeException failed) {
      // The failure of a connection that the watch has closed is expected.
      if (!deadlines.isCut()) throw failed;
    } finally {
      watch.leave();
    }
  }

  @Override
  public Duration idleTime() {
    return connection.idleTime();
  }

  @Override
  public void close(boolean interrupt) {
    connection.close(interrupt);
  }

  @Override
  public boolean canInterrupt() {
    return connection instanceof InterruptableTask<?> task && task.canInterrupt();
  }
}
