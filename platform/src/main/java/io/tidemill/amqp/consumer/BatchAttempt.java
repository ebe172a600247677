package io.tidemill.amqp.consumer;

import io.tidemill.amqp.HeldMessage;
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
  private final BatchHandler handler;
  private final boolean search;
  private final Map<HeldMessage, BatchSettlement> settled = new LinkedHashMap<>();
  private final Map<HeldMessage, Failure> failed = new LinkedHashMap<>();
  private boolean gotThrough;
  private int inVain;
  private int patience;
  private String lastWhy = "";

  /// Why a delivery is not settled.
  ///
  /// @param alone whether it failed by itself, and not with others
  /// @param threw null when the handler asked for another try
  record Failure(String why, boolean alone, @Nullable Throwable threw) {}

  private BatchAttempt(BatchHandler handler, boolean search) {
    this.handler = handler;
    this.search = search;
  }

  /// @param search whether to look for the guilty when the whole fails
  static BatchAttempt of(BatchHandler handler, List<HeldMessage> batch, boolean search) {
    var round = new BatchAttempt(handler, search);
    round.patience = 4 + (32 - Integer.numberOfLeadingZeros(batch.size()));
    round.handle(batch);
    return round;
  }

  /// What was decided.
  Map<HeldMessage, BatchSettlement> settled() {
    return settled;
  }

  /// What was not.
  Map<HeldMessage, Failure> failed() {
    return failed;
  }

  /// Whether anything was acknowledged: then whatever failed did so for a reason of its own.
  boolean gotThrough() {
    return gotThrough;
  }

  private void handle(List<HeldMessage> part) {
    if (isHopeless()) {
      for (var delivery : part) failed.put(delivery, new Failure(lastWhy, false, null));
      return;
    }
    List<BatchSettlement> answers;
    try {
      answers = handler.handle(part.stream().map(HeldMessage::deliver).toList());
      if (answers.size() != part.size()) {
        throw new IllegalStateException(
            "%d settlements for %d deliveries".formatted(answers.size(), part.size()));
      }
    } catch (RuntimeException | Error thrown) {
      fail(part, new Failure(thrown.toString(), part.size() == 1, thrown));
      return;
    }
    record(part, answers);
  }

  // Only an acknowledged delivery shows that others could get through; a dead one met nobody.
  private void record(List<HeldMessage> part, List<BatchSettlement> answers) {
    var retries = new ArrayList<HeldMessage>();
    var why = "";
    var acknowledged = false;
    for (int i = 0; i < part.size(); i++) {
      switch (answers.get(i)) {
        case BatchSettlement.Retry retry -> {
          retries.add(part.get(i));
          why = retry.why();
        }
        case BatchSettlement.Ack ack -> {
          settled.put(part.get(i), ack);
          acknowledged = true;
        }
        case BatchSettlement.Dead dead -> settled.put(part.get(i), dead);
      }
    }
    gotThrough |= acknowledged;
    if (retries.isEmpty()) return;
    if (!acknowledged) fail(retries, new Failure(why, retries.size() == 1, null));
    else for (var delivery : retries) failed.put(delivery, new Failure(why, true, null));
  }

  private void fail(List<HeldMessage> part, Failure failure) {
    inVain++;
    lastWhy = failure.why();
    if (part.size() == 1 || !search) {
      for (var delivery : part) failed.put(delivery, failure);
      return;
    }
    var half = part.size() / 2;
    handle(part.subList(0, half));
    handle(part.subList(half, part.size()));
  }

  private boolean isHopeless() {
    return !gotThrough && inVain >= patience;
  }
}
