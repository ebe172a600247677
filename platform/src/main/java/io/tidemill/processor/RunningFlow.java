package io.tidemill.processor;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowMessage;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.store.redis.FlowChange;
import io.tidemill.store.redis.FlowQueue;
import io.tidemill.store.redis.FlowQueue.Saved;
import io.tidemill.store.redis.HeldFlow;
import io.tidemill.store.redis.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A workflow or task that this process holds and works on: its record, its events, its fence.
final class RunningFlow {
  /// What all of them share.
  record Desk(FlowQueue queue, Relay relay, InstantSource clock, ObjectNode metadata) {}

  private static final Duration PROGRESS_PAUSE = Duration.ofMillis(250);

  private final Desk desk;
  private final HeldFlow held;
  private final BooleanSupplier leased;
  private int unconfirmed; // events that are in the topic, while the store does not know it yet
  private long mark;

  private long progressAt = System.nanoTime() - PROGRESS_PAUSE.toNanos();

  private @Nullable Thread worker; // only while it does somebody else's code
  private long deadline;
  private volatile @Nullable Stop stop;

  /// @param leased whether the lease is good, as far as this process can tell without asking
  RunningFlow(Desk desk, HeldFlow held, BooleanSupplier leased) {
    this.desk = desk;
    this.held = held;
    this.leased = leased;
    var text = held.field("mark");
    mark = text.isEmpty() ? -1 : Long.parseLong(text);
  }

  HeldFlow held() {
    return held;
  }

  String id() {
    return held.id();
  }

  FlowKind kind() {
    return desk.queue().kind();
  }

  Map<String, String> record() {
    return held.fields();
  }

  String field(String name) {
    return held.field(name);
  }

  FlowStatus status() {
    return FlowStatus.of(held.field("status")).orElse(FlowStatus.PENDING);
  }

  /// How often it was taken since it last got anywhere, this time included.
  int takes() {
    return FlowRecords.number(record(), "takes");
  }

  Instant now() {
    return desk.clock().instant();
  }

  Optional<String> traceparent() {
    return Optional.of(held.field("traceparent")).filter(text -> !text.isEmpty());
  }

  /// Publishes what an earlier holder recorded and may not have published.
  void sendLeftovers() {
    var left = held.outbox();
    if (!left.isEmpty()) recover(left);
  }

  private void recover(List<String> events) {
    mark =
        desk.relay()
            .recover(address(), events.stream().map(Outbound::parse).toList(), this::isOurs);
    unconfirmed = events.size();
  }

  /// Writes a change down together with the events that tell of it, then publishes these.
  void save(FlowChange change, FlowEvent... events) {
    var now = now();
    var messages = Stream.of(events).map(event -> FlowMessage.of(event, now, desk.metadata()));
    var outbound = messages.map(Outbound::of).toList();
    for (var event : outbound) change.event(event.json());
    for (var event : events) change.tell(event.type(), data(event));
    write(change);
    if (outbound.isEmpty()) return;
    mark = desk.relay().publish(address(), outbound, this::isOurs);
    unconfirmed = outbound.size();
  }

  // Followers of a dead task know what it began with, which may be long.
  private static String data(FlowEvent event) {
    return Json.text(FlowCodec.payload(event).without(List.of("originalEvent")));
  }

  private void write(FlowChange change) {
    change.sent(unconfirmed, mark);
    var saved = desk.queue().save(held, change);
    if (saved == Saved.FENCED) throw new Stopped(Stop.LOST);
    unconfirmed = 0; // noted whether or not the rest was
    if (saved == Saved.CANCELED) throw new Stopped(Stop.CANCELED);
  }

  /// Ends it for good: whatever is still to be published, then nobody takes it again.
  ///
  /// @param removed fields that nobody needs any more
  /// @return whether it has ended; not if it has a life before it still
  boolean done(String... removed) {
    while (true) {
      var change = new FlowChange().remove(removed).sent(unconfirmed, mark).done();
      var saved = desk.queue().save(held, change);
      unconfirmed = 0;
      if (saved != Saved.UNSENT) return saved != Saved.OPEN;
      // It was canceled while we worked: the word of it came from elsewhere into the outbox.
      recover(desk.queue().outbox(id()));
    }
  }

  /// Lets go of it, to be taken again at that time.
  void again(Instant at, FlowChange change) {
    write(change.again(at));
  }

  /// Lets go of it at once: this process ends.
  void giveBack() {
    write(new FlowChange().giveBack());
  }

  /// Tells followers how far it is; not more often than they can read.
  void progress(double fraction, String message, ObjectNode more) {
    var now = System.nanoTime();
    if (now - progressAt < PROGRESS_PAUSE.toNanos()) return;
    progressAt = now;
    more.put("fraction", Math.clamp(fraction, 0, 1)).put("message", message);
    var data = Json.text(more);
    tellProgress(data);
  }

  // Apart from what is sent: the store may take this without our hearing of it, and what it then
  // strikes off its list of events must not be struck off again.
  private void tellProgress(String data) {
    try {
      var told = new FlowChange().tell("progress", data).set("progress", data);
      switch (desk.queue().save(held, told)) {
        case FENCED -> throw new Stopped(Stop.LOST);
        case CANCELED -> throw new Stopped(Stop.CANCELED);
        case SAVED, UNSENT, OPEN -> {}
      }
    } catch (StoreException away) {
      // Followers miss a word.
    }
  }

  private Relay.Address address() {
    var partition = held.field("partition");
    return new Relay.Address(
        kind(),
        id(),
        partition.isEmpty() ? -1 : Integer.parseInt(partition),
        mark,
        traceparent().orElse(null));
  }

  private boolean isOurs() {
    return stop != Stop.LOST && leased.getAsBoolean();
  }

  /// Runs somebody else's code, which is interrupted when the time is over or [#stop] is called.
  ///
  /// @throws Stopped when it was to stop for a reason that is not its own fault
  <T> T work(Duration limit, Callable<T> body) throws Exception {
    begin(limit);
    try {
      return body.call();
    } catch (Exception | Error failed) {
      if (stop == null) throw failed;
    } finally {
      end();
    }
    var why = stop;
    if (why == Stop.LATE) {
      throw WorkFailure.passing("TIMEOUT", "it took longer than " + limit.toSeconds() + " s");
    }
    throw new Stopped(why == null ? Stop.LOST : why);
  }

  private synchronized void begin(Duration limit) {
    if (stop == Stop.LATE) stop = null;
    if (stop != null) throw new Stopped(stop);
    deadline = System.nanoTime() + limit.toNanos();
    worker = Thread.currentThread();
  }

  private synchronized void end() {
    worker = null;
    var _ = Thread.interrupted(); // meant for the code that has just ended
  }

  /// Asks it to stop; the first reason counts.
  synchronized void stop(Stop why) {
    if (stop == null || why == Stop.LOST) stop = why;
    if (worker != null) worker.interrupt();
  }

  /// Stops it if its time is over.
  synchronized void check() {
    if (worker != null && System.nanoTime() - deadline > 0) stop(Stop.LATE);
  }
}
