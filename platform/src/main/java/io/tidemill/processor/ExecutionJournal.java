package io.tidemill.processor;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.json.Json;
import io.tidemill.workflow.ExecutionChange;
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

/// What the holder of a workflow or task has to say of it: changes of its record and the events
/// that tell of them, first into the store, then into the topic.
///
/// Not every word is worth a write: what is kept back goes together with what follows, and is done
/// again after a crash. What is written is told, sooner or later, by whoever holds it then.
final class ExecutionJournal {
  private static final String ORIGINAL = "originalEvent";

  private final Execution.Services desk;
  private final LeasedExecution held;
  private final BooleanSupplier isOurs;
  private final long repeatable;

  private final ReentrantLock publishing = new ReentrantLock(); // taken before the other one
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ExecutionChange unsaved;
  private List<OutboxEvent> untold = new ArrayList<>(); // events of what is not saved
  private final List<OutboxEvent> outbox = new ArrayList<>(); // saved and not published
  private List<String> recalled; // the same as the store has it, from whoever held it before
  private boolean inDoubt; // whether the first of the outbox may be in the topic
  private int unconfirmed; // events that are in the topic, while the store does not know it yet
  private long mark; // the offset of the last event that is known to be in the topic
  private @Nullable StopReason ended;
  private volatile long savedAt = System.nanoTime();
  private volatile boolean isWaiting;

  /// @param repeatable how long work may have taken that is done again after a crash
  ExecutionJournal(
      Execution.Services desk, LeasedExecution held, Duration repeatable, BooleanSupplier isOurs) {
    this.desk = desk;
    this.held = held;
    this.isOurs = isOurs;
    this.repeatable = repeatable.toNanos();
    var text = held.field("mark");
    mark = text.isEmpty() ? -1 : Long.parseLong(text);
    recalled = held.outbox();
  }

  /// Keeps a change with the events that tell of it, until it would be a pity to lose it.
  void note(ExecutionChange change, ExecutionEvent... events) {
    add(change, events);
    if (!isCostly()) return;
    flush();
    publish();
  }

  /// Writes a change with the events that tell of it, and all that was kept back; then publishes.
  void save(ExecutionChange change, ExecutionEvent... events) {
    add(change, events);
    flush();
    publish();
  }

  private void add(ExecutionChange change, ExecutionEvent... events) {
    lock.lock();
    try {
      checkOpen();
      var now = desk.clock().instant();
      for (var event : events) {
        var payload = ExecutionCodec.payload(event);
        var text = Json.text(payload);
        var outbound = OutboxEvent.of(ExecutionMessage.of(event, now, desk.metadata()), text);
        change.event(outbound.json()).tell(event.type(), followerData(payload, text));
        untold.add(outbound);
      }
      unsaved = unsaved == null ? change : unsaved.then(change);
      isWaiting = true;
    } finally {
      lock.unlock();
    }
  }

  // Followers of a dead task know what it began with, which may be long; and where in the code it
  // went wrong is not for them.
  private static String followerData(ObjectNode payload, String text) {
    if (!payload.has(ORIGINAL) && !payload.has("error")) return text;
    var told = payload.deepCopy().without(ORIGINAL);
    for (var name : List.of("error", "finalError")) {
      if (told.get(name) instanceof ObjectNode error) error.remove("stack");
    }
    return Json.text(told);
  }

  private boolean isCostly() {
    return System.nanoTime() - savedAt >= repeatable;
  }

  /// Whether something was kept back for longer than it should.
  boolean isLate() {
    return isWaiting && isCostly();
  }

  /// Writes what was kept back.
  void flush() {
    lock.lock();
    try {
      checkOpen();
      if (unsaved == null) return;
      var change = unsaved;
      var events = untold;
      forget();
      write(change);
      outbox.addAll(events);
    } finally {
      lock.unlock();
    }
  }

  private void forget() {
    unsaved = null;
    untold = new ArrayList<>();
    isWaiting = false;
  }

  private void write(ExecutionChange change) {
    var count = unconfirmed;
    unconfirmed = 0; // should the answer be lost: rather too few struck off than too many
    ended = StopReason.LOST; // should it fail: nobody here knows what is written
    var saved = desk.queue().save(held, change.sent(count, mark));
    if (saved == Saved.FENCED) throw new ExecutionStopped(StopReason.LOST);
    savedAt = System.nanoTime();
    ended = saved == Saved.CANCELED ? StopReason.CANCELED : null;
    checkOpen();
  }

  private void checkOpen() {
    if (ended != null) throw new ExecutionStopped(ended);
  }

  /// Whether there are events to publish.
  boolean isUntold() {
    lock.lock();
    try {
      return !outbox.isEmpty() || !recalled.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// Publishes what is written down, however long the broker is away.
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
      if (!recalled.isEmpty()) recall();
      var next = new Outgoing(address(), List.copyOf(outbox), inDoubt);
      inDoubt = !outbox.isEmpty(); // until it is known to be there
      return next;
    } finally {
      lock.unlock();
    }
  }

  // It is for whoever holds it now to find out what of this is in the topic.
  private void recall() {
    outbox.addAll(0, recalled.stream().map(OutboxEvent::parse).toList());
    recalled = List.of();
    inDoubt = true;
  }

  private long send(Outgoing next) {
    return next.inDoubt()
        ? desk.relay().recover(next.to(), next.events(), isOurs)
        : desk.relay().publish(next.to(), next.events(), isOurs);
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

  /// Lets go of it, to be taken again at that time; what was to be told before is told before.
  void again(Instant at, ExecutionChange change) {
    flush();
    publish();
    lock.lock();
    try {
      write(change.again(at));
    } finally {
      lock.unlock();
    }
  }

  /// Lets go of it at once: what was kept back is written, and told by whoever takes it next.
  /// Nothing of ours is on its way to the topic then.
  void giveBack() {
    publishing.lock();
    lock.lock();
    try {
      if (ended == StopReason.LOST) throw new ExecutionStopped(StopReason.LOST);
      var change = unsaved == null || ended != null ? new ExecutionChange() : unsaved;
      forget();
      write(change.giveBack());
    } finally {
      lock.unlock();
      publishing.unlock();
    }
  }

  /// Ends it for good: whatever is still to be published, then nobody takes it again.
  ///
  /// @param removed fields that nobody needs any more
  /// @return whether it has ended; not if it has a life before it still
  boolean done(String... removed) {
    while (true) {
      publish();
      lock.lock();
      try {
        if (ended == StopReason.LOST) throw new ExecutionStopped(StopReason.LOST);
        forget(); // of what was canceled; of all else everything is written
        var count = unconfirmed;
        unconfirmed = 0;
        var change = new ExecutionChange().remove(removed).sent(count, mark).done();
        var saved = desk.queue().save(held, change);
        if (saved != Saved.UNSENT) return saved != Saved.OPEN;
        // It was canceled while we worked: the word of it came from elsewhere into the outbox.
        outbox.clear();
        recalled = desk.queue().outbox(held.id());
      } finally {
        lock.unlock();
      }
    }
  }

  /// Tells followers how far it is.
  ///
  /// Apart from what is sent: the store may take this without our hearing of it, and what it then
  /// strikes off its list of events must not be struck off again.
  Saved progress(String data) {
    return desk.queue()
        .save(held, new ExecutionChange().tell("progress", data).set("progress", data));
  }

  private OutboxRelay.Address address() {
    var partition = held.field("partition");
    var trace = held.field("traceparent");
    return new OutboxRelay.Address(
        desk.queue().kind(),
        held.id(),
        partition.isEmpty() ? -1 : Integer.parseInt(partition),
        mark,
        trace.isEmpty() ? null : trace);
  }
}
