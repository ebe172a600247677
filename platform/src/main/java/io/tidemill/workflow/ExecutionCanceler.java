package io.tidemill.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.redis.StoreRetry;
import io.tidemill.work.Cancellation;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Cancels workflows or tasks that wait or run; one that has ended stays as it is (C2.4).
public final class ExecutionCanceler {
  private final ExecutionShape shape;
  private final ExecutionStore store;
  private final InstantSource clock;

  public ExecutionCanceler(ExecutionStore store, InstantSource clock) {
    this.shape = new ExecutionShape(store.kind());
    this.store = store;
    this.clock = clock;
  }

  /// Throws [Unavailable] when the store does not answer.
  ///
  /// @param reason may be empty
  public Cancellation cancel(String id, String reason) {
    if (!ExecutionNames.isId(id)) return new Cancellation.Unknown();
    return StoreRetry.answer(() -> store.find(id))
        .map(record -> cancel(id, record, reason.isEmpty() ? "canceled" : reason))
        .orElseGet(Cancellation.Unknown::new);
  }

  private Cancellation cancel(String id, Map<String, String> record, String reason) {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var error = new ExecutionError(ExecutionNames.CANCELED, reason);
    var end = shape.failed(record, error, now);
    var message = ExecutionMessage.of(end, now, CreatedEventPublisher.metadata());
    var event = new String(ExecutionCodec.encode(message), UTF_8);
    var told = new ExecutionStore.FollowerEvent(end.type(), ExecutionShape.eventData(end));
    var asked = new AtomicInteger();
    var answer =
        StoreRetry.answer(() -> {
          asked.incrementAndGet();
          return store.cancel(
              id, event, told, ExecutionShape.json(error), ExecutionShape.time(now));
        });
    // Asked twice because the first answer was lost: then this cancel is the one that is found.
    var ours = asked.get() > 1 && answer.status().equals(ExecutionStatus.CANCELED.wire());
    return switch (answer.what()) {
      case "gone" -> new Cancellation.Unknown();
      case "ended" ->
          ours ? new Cancellation.Canceled(null) : new Cancellation.AlreadyEnded(answer.status());
      default -> new Cancellation.Canceled(answer.status());
    };
  }
}
