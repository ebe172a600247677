package io.tidemill.amqp.consumer;

import io.tidemill.amqp.HeldMessage;
import io.tidemill.observe.LogContext;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One try at a batch; when it fails as a whole, finds out which deliveries break it.
///
/// Halves are tried, and their halves, so that one bad delivery among a hundred costs about a dozen
/// more calls. When nothing at all gets through it is not the deliveries' fault, and the search
/// ends.
final class BatchAttempt {
  private final MessageHandler handler;
  private final LogContext context;
  private final boolean search;
  private final Map<HeldMessage, Settlement> settled = new LinkedHashMap<>();
  private final Map<HeldMessage, Failure> failed = new LinkedHashMap<>();
  private boolean anyAcknowledged;
  private int inVain;
  private int patience;
  private Settlement lastAsked = Settlement.DONE;

  /// Why a delivery is not settled.
  ///
  /// @param asked what the handler asked for; [Settlement.Retry] when it threw
  /// @param alone whether it failed by itself, and not with others
  /// @param threw null when the handler asked for another try
  record Failure(Settlement asked, boolean alone, @Nullable Throwable threw) {
    String why() {
      return asked.why();
    }

    /// Zero when the consumer is to choose.
    Duration after() {
      return switch (asked) {
        case Settlement.Retry(var after, _) -> after;
        case Settlement.Defer(var after, _) -> after;
        case Settlement.Done _, Settlement.DeadLetter _ -> Duration.ZERO;
      };
    }

    /// Whether it is the delivery's own failure, whatever becomes of others.
    boolean isCounted() {
      return asked instanceof Settlement.Retry;
    }
  }

  private BatchAttempt(MessageHandler handler, LogContext context, boolean search) {
    this.handler = handler;
    this.context = context;
    this.search = search;
  }

  /// @param search whether to look for the guilty when the whole fails
  static BatchAttempt of(
      MessageHandler handler, LogContext context, List<HeldMessage> batch, boolean search) {
    var round = new BatchAttempt(handler, context, search);
    round.patience = 4 + (32 - Integer.numberOfLeadingZeros(batch.size()));
    round.handle(batch);
    return round;
  }

  /// What was decided.
  Map<HeldMessage, Settlement> settled() {
    return settled;
  }

  /// What was not.
  Map<HeldMessage, Failure> failed() {
    return failed;
  }

  /// Whether anything was acknowledged: then whatever failed did so for a reason of its own.
  boolean anyAcknowledged() {
    return anyAcknowledged;
  }

  private void handle(List<HeldMessage> part) {
    if (isHopeless()) {
      for (var delivery : part) failed.put(delivery, new Failure(lastAsked, false, null));
      return;
    }
    List<Settlement> answers;
    try {
      answers = handler.handle(part.stream().map(HeldMessage::deliver).toList(), context);
      if (answers.size() != part.size()) {
        throw new IllegalStateException(
            "%d settlements for %d deliveries".formatted(answers.size(), part.size()));
      }
    } catch (RuntimeException | Error thrown) {
      var retry = new Settlement.Retry(thrown.toString());
      fail(part, new Failure(retry, part.size() == 1, thrown));
      return;
    } finally {
      var _ = Thread.interrupted(); // whoever hurried the handler did not mean the next message
    }
    record(part, answers);
  }

  // Only an acknowledged delivery shows that others could get through; a dead one met nobody, and
  // one that failed for a reason of its own says nothing of the others.
  private void record(List<HeldMessage> part, List<Settlement> answers) {
    var deferred = new ArrayList<HeldMessage>();
    Settlement asked = lastAsked;
    var acknowledged = false;
    for (int i = 0; i < part.size(); i++) {
      var delivery = part.get(i);
      switch (answers.get(i)) {
        case Settlement.Done done -> {
          settled.put(delivery, done);
          acknowledged = true;
        }
        case Settlement.DeadLetter dead -> settled.put(delivery, dead);
        case Settlement.Retry retry -> failed.put(delivery, new Failure(retry, true, null));
        case Settlement.Defer defer -> {
          deferred.add(delivery);
          asked = defer;
        }
      }
    }
    anyAcknowledged |= acknowledged;
    if (deferred.isEmpty()) return;
    if (!acknowledged) fail(deferred, new Failure(asked, deferred.size() == 1, null));
    else for (var delivery : deferred) failed.put(delivery, new Failure(asked, true, null));
  }

  private void fail(List<HeldMessage> part, Failure failure) {
    inVain++;
    lastAsked = failure.asked();
    if (part.size() == 1 || !search) {
      for (var delivery : part) failed.put(delivery, failure);
      return;
    }
    var half = part.size() / 2;
    handle(part.subList(0, half));
    handle(part.subList(half, part.size()));
  }

  private boolean isHopeless() {
    return !anyAcknowledged && inVain >= patience;
  }
}
