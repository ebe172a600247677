package io.tidemill.processor;

import io.tidemill.contract.Json;
import io.tidemill.service.Rounds;
import io.tidemill.service.Service;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.StoreException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Forgets workflows that ended long ago, together with the records that they left.
final class FlowSweeper {
  private static final Logger log = LoggerFactory.getLogger(FlowSweeper.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int AT_ONCE = 200;

  private final FlowStore store;
  private final StepRecords records;

  FlowSweeper(FlowStore store, StepRecords records) {
    this.store = store;
    this.records = records;
  }

  /// Does it again and again.
  Service service() {
    return new Rounds("workflow sweeper", PAUSE, this::sweep);
  }

  void sweep() {
    try {
      for (var shelf : store.sweepWithShelves(AT_ONCE)) {
        Json.parse(shelf).valueStream().forEach(kept -> records.forget((ObjectNode) kept));
      }
    } catch (StoreException later) {
      log.debug("old workflows stay: {}", later.getMessage());
    }
  }
}
