package io.tidemill.servers;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the shutdown of a foreign server with a time limit.
final class TimeLimit {

  private static final Logger LOG = LoggerFactory.getLogger(TimeLimit.class);

  interface Task {
    void run() throws Exception;
  }

  private TimeLimit() {}

  /// Returns when the task is over or the limit has passed. A task that fails or takes longer is
  /// logged and left behind on a daemon thread.
  static void stop(String name, Duration limit, Task task) {
    var thread = Thread.ofPlatform().daemon().name("stop-" + name).start(() -> attempt(name, task));
    try {
      if (!thread.join(limit)) LOG.warn("{} has not stopped after {}", name, limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void attempt(String name, Task task) {
    try {
      task.run();
    } catch (Exception | LinkageError e) {
      LOG.warn("{} failed while it stopped", name, e);
    }
  }
}
