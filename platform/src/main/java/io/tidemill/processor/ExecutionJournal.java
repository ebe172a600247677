package io.tidemill.processor;

import static io.tidemill.contract.workflow.WorkflowFields.ERROR;
import static io.tidemill.contract.workflow.WorkflowFields.PROGRESS;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.json.Json;
import io.tidemill.processor.ExecutionStopped.Reason;
import io.tidemill.workflow.ExecutionChange;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionQueue.Saved;
import io.tidemill.workflow.LeasedExecution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The changes of a leased execution and their events: first into the store, then into the topic.
///
/// Deferred changes are coalesced with later ones; after a crash their work is repeated. Every
/// event that is written is published at last, by this holder or a later one.
final class ExecutionJournal {
  private static final String ORIGINAL = "originalEvent";

  private final Execution.Services services;
  private final LeasedExecution lease;
  private final BooleanSupplier mayPublish;
  private final long repeatable;

  private final ReentrantLock publishing = new ReentrantLock(); // taken before the other one
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ExecutionChange unsaved;
  private List<OutboxEvent> unsavedEvents = new ArrayList<>(); // of the unsaved change
  private final List<OutboxEvent> outbox = new ArrayList<>(); // saved and not published
  private List<String> inherited; // recorded by an earlier holder
  private boolean inDoubt; // whether the first of the outbox may be in the topic
  private int unconfirmed; // events that are in the topic, while the store does not know it yet
  private long mark; // the offset of the last event that is known to be in the topic
  private @Nullable Reason ended;
  private volatile long savedAt = System.nanoTime();
  private volatile boolean isWaiting;

  /// @param repeatable how long work may have taken that is done again after a crash
  ExecutionJournal(
      Execution.Services services,
      LeasedExecution lease,
      Duration repeatable,
      BooleanSupplier mayPublish) {
    this.services = services;
    this.lease = lease;
    this.mayPublish = mayPublish;
    this.repeatable = repeatable.toNanos();
    var known = lease.bookkeeping().mark();
    mark = known == null ? -1 : known;
    inherited = lease.outbox();
  }

  /// Defers a change and its events, unless the work since the last write is too long to repeat.
  void note(ExecutionChange change, List<ExecutionEvent> events) {
    add(change, events);
    if (!isDue()) return;
    flush();
    publish();
  }

  /// Writes a change and all deferred ones with their events; then publishes.
  void save(ExecutionChange change, List<ExecutionEvent> events) {
    add(change, events);
    flush();
    publish();
  }

  private void add(ExecutionChange change, List<ExecutionEvent> events) {
    lock.lock();
    try {
      checkOpen();
      var now = services.clock().instant();
      for (var event : events) {
        var payload = ExecutionCodec.payload(event);
        var text = Json.text(payload);
        var outbound = OutboxEvent.of(ExecutionMessage.of(event, now, services.metadata()), text);
        change.event(outbound.json()).follow(event.type(), followerData(payload, text));
        unsavedEvents.add(outbound);
      }
      unsaved = unsaved == null ? change : unsaved.then(change);
      isWaiting = true;
    } finally {
      lock.unlock();
    }
  }

  // Without the original event, which may be long, and without stack traces.
  private static String followerData(ObjectNode payload, String text) {
    if (!payload.has(ORIGINAL) && !payload.has(ERROR)) return text;
    var shown = payload.deepCopy().without(ORIGINAL);
    for (var name : List.of(ERROR, "finalError")) {
      if (shown.get(name) instanceof ObjectNode error) error.remove("stack");
    }
    return Json.text(shown);
  }

  private boolean isDue() {
    return System.nanoTime() - savedAt >= repeatable;
  }

  /// Whether a change was deferred for longer than its work may be repeated.
  boolean isOverdue() {
    return isWaiting && isDue();
  }

  /// Writes the deferred changes.
  void flush() {
    lock.lock();
    try {
      checkOpen();
      if (unsaved == null) return;
      var change = unsaved;
      var events = unsavedEvents;
      clearUnsaved();
      write(change);
      outbox.addAll(events);
    } finally {
      lock.unlock();
    }
  }

  private void clearUnsaved() {
    unsaved = null;
    unsavedEvents = new ArrayList<>();
    isWaiting = false;
  }

  private void write(ExecutionChange change) {
    var count = unconfirmed;
    unconfirmed = 0; // if the answer is lost: rather remove too few events than too many
    ended = Reason.LEASE_LOST; // if it fails: what is written is not known
    var saved = services.queue().save(lease, change.sent(count, mark));
    if (saved == Saved.FENCED) throw new ExecutionStopped(Reason.LEASE_LOST);
    savedAt = System.nanoTime();
    ended = saved == Saved.CANCELED ? Reason.CANCELED : null;
    checkOpen();
  }

  private void checkOpen() {
    if (ended != null) throw new ExecutionStopped(ended);
  }

  /// Whether there are events to publish.
  boolean hasUnpublished() {
    lock.lock();
    try {
      return !outbox.isEmpty() || !inherited.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// Publishes what is written, however long the broker is away.
  void publish() {
    publishing.lock();
    try {
      for (var next = outgoing(); !next.events().isEmpty(); next = outgoing()) {
        published(next.events().size(), send(next));
      }
    } finally {
      publishing.unlock();
    }
  }

  private record Outgoing(OutboxRelay.Address to, List<OutboxEvent> events, boolean inDoubt) {}

  private Outgoing outgoing() {
    lock.lock();
    try {
      if (!inherited.isEmpty()) takeOver();
      var next = new Outgoing(address(), List.copyOf(outbox), inDoubt);
      inDoubt = !outbox.isEmpty(); // until it is known to be there
      return next;
    } finally {
      lock.unlock();
    }
  }

  // Some of these may be in the topic already.
  private void takeOver() {
    outbox.addAll(0, inherited.stream().map(OutboxEvent::parse).toList());
    inherited = List.of();
    inDoubt = true;
  }

  private long send(Outgoing next) {
    return next.inDoubt()
        ? services.relay().recover(next.to(), next.events(), mayPublish)
        : services.relay().publish(next.to(), next.events(), mayPublish);
  }

  private void published(int count, long last) {
    lock.lock();
    try {
      outbox.subList(0, count).clear();
      unconfirmed += count;
      mark = last;
      inDoubt = false;
    } finally {
      lock.unlock();
    }
  }

  /// Ends the lease; it is due again at that time. Earlier events are published before.
  void release(Instant at, ExecutionChange change) {
    flush();
    publish();
    lock.lock();
    try {
      write(change.release(at));
    } finally {
      lock.unlock();
    }
  }

  /// Ends the lease at once: deferred changes are written, the next holder publishes their events.
  /// No event is on its way to the topic then.
  void giveBack() {
    publishing.lock();
    lock.lock();
    try {
      if (ended == Reason.LEASE_LOST) throw new ExecutionStopped(Reason.LEASE_LOST);
      var change = unsaved == null || ended != null ? new ExecutionChange() : unsaved;
      clearUnsaved();
      write(change.giveBack());
    } finally {
      lock.unlock();
      publishing.unlock();
    }
  }

  /// Publishes the rest, then takes it out of the queue.
  ///
  /// @param removed fields that are of no use any more
  /// @return whether it has ended; not after a retry has begun it again
  boolean done(String... removed) {
    while (true) {
      publish();
      lock.lock();
      try {
        if (ended == Reason.LEASE_LOST) throw new ExecutionStopped(Reason.LEASE_LOST);
        clearUnsaved(); // only of canceled ones: all else is written
        var count = unconfirmed;
        unconfirmed = 0;
        var change = new ExecutionChange().remove(removed).sent(count, mark).done();
        var saved = services.queue().save(lease, change);
        if (saved != Saved.UNSENT) return saved != Saved.OPEN;
        // It was canceled meanwhile, and the script added the last event to the outbox.
        outbox.clear();
        inherited = services.queue().outbox(lease.id());
      } finally {
        lock.unlock();
      }
    }
  }

  /// Reports progress to followers, without the count of published events: if the answer were lost,
  /// these would be removed from the outbox twice.
  Saved progress(String data) {
    return services
        .queue()
        .save(lease, new ExecutionChange().follow(PROGRESS, data).set(PROGRESS, data));
  }

  private OutboxRelay.Address address() {
    var partition = lease.bookkeeping().partition();
    return new OutboxRelay.Address(
        services.queue().kind(),
        lease.id(),
        partition == null ? ExecutionPublisher.BY_KEY : partition,
        mark,
        lease.bookkeeping().traceparent());
  }
}
