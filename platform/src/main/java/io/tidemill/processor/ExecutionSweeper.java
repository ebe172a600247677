package io.tidemill.processor;

import io.tidemill.redis.RedisException;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.Workflow;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes workflows or tasks that ended long ago, together with their objects.
final class ExecutionSweeper {
  private static final Logger log = LoggerFactory.getLogger(ExecutionSweeper.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int AT_ONCE = 200;

  private final ExecutionStore store;
  private final StepRecords records;

  ExecutionSweeper(ExecutionStore store, StepRecords records) {
    this.store = store;
    this.records = records;
  }

  /// Does it again and again.
  Service service() {
    return new PeriodicTask(store.kind().wire() + " sweeper", PAUSE, this::sweep);
  }

  void sweep() {
    try {
      while (sweepSome() == AT_ONCE) {
        // In small pieces, so that no other client waits long for Redis.
      }
    } catch (RedisException later) {
      log.debug("old {} are kept for now: {}", store.kind().topic(), later.getMessage());
    }
  }

  private long sweepSome() {
    var swept = store.sweepWithShelves(AT_ONCE);
    for (var shelf : swept.shelves()) {
      Workflow.stored(shelf).forEach(records::forget);
    }
    return swept.count();
  }
}
