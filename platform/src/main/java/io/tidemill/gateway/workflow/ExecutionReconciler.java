package io.tidemill.gateway.workflow;

import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.kafka.KafkaException;
import io.tidemill.redis.RedisException;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionRecord;
import io.tidemill.workflow.ExecutionStarter;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes what a gateway left in doubt between Redis and Kafka (C2.4, F05), and forgets what
/// ended long ago.
final class ExecutionReconciler implements Service {
  private static final Logger log = LoggerFactory.getLogger(ExecutionReconciler.class);
  private static final int AT_ONCE = 100;

  // So many refusals are due to the broker, not to single records.
  private static final int REFUSALS = 3;

  /// One kind with its store.
  record Kept(ExecutionStore store, ExecutionStarter starter) {}

  private final List<Kept> kinds;
  private final ExecutionPublisher events;
  private final PeriodicTask rounds;

  ExecutionReconciler(List<Kept> kinds, ExecutionPublisher events, WorkflowsConfig config) {
    this.kinds = List.copyOf(kinds);
    this.events = events;
    rounds = new PeriodicTask("flow reconciler", config.doubtAfter().dividedBy(3), this::reconcile);
  }

  @Override
  public String name() {
    return rounds.name();
  }

  @Override
  public void start() {
    rounds.start();
  }

  @Override
  public void stop() {
    rounds.stop();
  }

  private void reconcile() {
    for (var kept : kinds) reconcile(kept);
  }

  private void reconcile(Kept kept) {
    try {
      publish(kept);
      while (kept.store().sweep(AT_ONCE).count() == AT_ONCE) {
        // In small pieces, so that no other client waits long for Redis.
      }
    } catch (RedisException later) {
      log.debug("{} in doubt: {}", kept.store().kind().topic(), later.getMessage());
    }
  }

  // One that can never be published must not block the others (F09).
  private void publish(Kept kept) {
    var ids = new ArrayList<>(kept.store().inDoubt(AT_ONCE));
    Collections.shuffle(ids);
    int refusals = 0;
    for (var id : ids) {
      try {
        publish(kept, id);
      } catch (RedisException away) {
        throw away;
      } catch (KafkaException later) {
        log.debug("{} in doubt: {}", id, later.getMessage());
        if (++refusals == REFUSALS) return;
      } catch (RuntimeException unreadable) {
        log.warn("{} can't be published", id, unreadable);
      }
    }
  }

  private void publish(Kept kept, String id) {
    var record = kept.store().load(id).filter(ExecutionReconciler::isUnpublished);
    if (record.isPresent()) publish(kept, id, record.get());
    else kept.store().settled(id);
  }

  private static boolean isUnpublished(ExecutionRecord record) {
    return record.status() == ExecutionStatus.PENDING && record.bookkeeping().place().isEmpty();
  }

  private void publish(Kept kept, String id, ExecutionRecord record) {
    try {
      var published = events.publishCreated(kept.store().kind(), record);
      kept.store().published(id, published.partition(), published.offset());
      log.info("{} {} was in doubt and is published again", kept.store().kind().wire(), id);
    } catch (KafkaException refused) {
      if (!refused.isTooLarge()) throw refused;
      kept.starter().withdraw(record, refused); // F08: once more is of no use
      kept.store().settled(id);
    }
  }
}
