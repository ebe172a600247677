package io.tidemill.processor;

import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import io.tidemill.workflow.ExecutionStore;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Forgets workflows or tasks that ended long ago, together with the records that they left.
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
        // Until nothing old is left; in small pieces, so that nobody waits long for Redis.
      }
    } catch (RedisException later) {
      log.debug("old {} stay: {}", store.kind().topic(), later.getMessage());
    }
  }

  private long sweepSome() {
    var swept = store.sweepWithShelves(AT_ONCE);
    for (var shelf : swept.shelves()) {
      Json.parse(shelf).valueStream().forEach(kept -> records.forget((ObjectNode) kept));
    }
    return swept.count();
  }
}
