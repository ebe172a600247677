package io.tidemill.workflow;

import static java.util.Objects.requireNonNull;

import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.work.Cancellation;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Cancels workflows or tasks that wait or run; one that has ended stays as it is (C2.4).
public final class ExecutionCanceler {
  private final ExecutionStore store;
  private final InstantSource clock;

  public ExecutionCanceler(ExecutionStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /// Throws [Unavailable] when the store does not answer.
  ///
  /// @param reason may be empty
  public Cancellation cancel(String id, String reason) {
    if (!ExecutionNames.isId(id)) return new Cancellation.Unknown();
    return StoreRetry.answer(() -> store.load(id))
        .map(record -> cancel(id, record, reason.isEmpty() ? "canceled" : reason))
        .orElseGet(Cancellation.Unknown::new);
  }

  private Cancellation cancel(String id, ExecutionRecord record, String reason) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var transition = record.canceled(reason, now);
    var message =
        ExecutionMessage.of(
            transition.events().getFirst(), now, ExecutionPublisher.gatewayMetadata());
    var error = Json.text(requireNonNull(transition.next().ending().error()));
    var asked = new AtomicInteger();
    var answer =
        StoreRetry.answer(() -> {
          asked.incrementAndGet();
          return store.cancel(id, message, error);
        });
    return switch (answer.what()) {
      case CANCELED -> new Cancellation.Canceled(answer.status());
      case GONE -> new Cancellation.Unknown();
      // Asked twice because the first answer was lost: then this cancel is the one that is found.
      case ENDED ->
          asked.get() > 1 && answer.status().equals(ExecutionStatus.CANCELED.wire())
              ? new Cancellation.Canceled(null)
              : new Cancellation.AlreadyEnded(answer.status());
    };
  }
}
