package io.tidemill.processor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.processor.ExecutionStopped.Reason;
import io.tidemill.work.Backoff;
import io.tidemill.workflow.ExecutionPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings recorded events into their topic: in order, each once, however long the broker is away.
///
/// When it is not known whether an event arrived, it searches the topic behind the last event that
/// is known to be there (F04, F05).
final class OutboxRelay {
  private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  private static final Duration MARGIN = Duration.ofMinutes(1);
  private static final int SAFE_LENGTH = 16 * 1024;

  /// Where the events of one workflow or task go.
  ///
  /// @param partition of its `created` event; -1 when that is not known
  /// @param mark the offset of the last event that is known to be there
  record Address(
      ExecutionKind kind, String id, int partition, long mark, @Nullable String traceparent) {}

  private final ExecutionPublisher publisher;
  private final PublishedRecordFinder finder;

  OutboxRelay(ExecutionPublisher publisher, PublishedRecordFinder finder) {
    this.publisher = publisher;
    this.finder = finder;
  }

  /// Publishes new events.
  ///
  /// @param mayPublish asked before each further try; when it says no, [ExecutionStopped] is thrown
  /// @return the offset of the last one
  long publish(Address to, List<OutboxEvent> events, BooleanSupplier mayPublish) {
    if (!mayPublish.getAsBoolean()) throw new ExecutionStopped(Reason.LEASE_LOST);
    return Traces.part(
        SpanKind.KAFKA, "publish", to.kind().topic(), () -> publishNew(to, events, mayPublish));
  }

  private long publishNew(Address to, List<OutboxEvent> events, BooleanSupplier mayPublish) {
    Traces.note("events", events.size());
    try {
      return send(to, events);
    } catch (KafkaException unknown) {
      log.debug("events of {} may not have arrived: {}", to.id(), unknown.getMessage());
      return deliver(to, events, mayPublish, 1);
    }
  }

  /// Publishes events that may be in the topic already.
  long recover(Address to, List<OutboxEvent> events, BooleanSupplier mayPublish) {
    return deliver(to, events, mayPublish, 0);
  }

  private long deliver(
      Address to, List<OutboxEvent> events, BooleanSupplier mayPublish, int failures) {
    while (true) {
      if (failures > 0) pause(failures);
      if (!mayPublish.getAsBoolean()) throw new ExecutionStopped(Reason.LEASE_LOST);
      try {
        return sendMissing(to, events, mayPublish);
      } catch (KafkaException away) {
        if (away.isTooLarge()) return deliverEach(to, events, mayPublish);
        if (failures++ == 1) {
          log.warn("events of {} wait for the broker: {}", to.id(), away.getMessage());
        }
      }
    }
  }

  // An event that no broker takes must not hold up its workflow for ever, nor take others along
  // (F08).
  private long deliverEach(Address to, List<OutboxEvent> events, BooleanSupplier mayPublish) {
    if (events.size() == 1) return deliverShortened(to, events.getFirst(), mayPublish);
    var last = to.mark();
    for (var event : events) last = Math.max(last, deliver(to, List.of(event), mayPublish, 0));
    return last;
  }

  private long deliverShortened(Address to, OutboxEvent event, BooleanSupplier mayPublish) {
    var shortened = event.shortened();
    if (shortened.equals(event)) {
      log.error("{} of {} is too large for the broker, and not published", event.type(), to.id());
      return to.mark();
    }
    return deliver(to, List.of(shortened), mayPublish, 0);
  }

  private long sendMissing(Address to, List<OutboxEvent> events, BooleanSupplier mayPublish) {
    var there = offsets(to, events);
    if (!mayPublish.getAsBoolean())
      throw new ExecutionStopped(Reason.LEASE_LOST); // the search takes time
    var missing = events.stream().filter(event -> !there.containsKey(event.eventId())).toList();
    var last = there.values().stream().mapToLong(Long::longValue).max().orElse(to.mark());
    return missing.isEmpty() ? last : send(to, missing);
  }

  private Map<String, Long> offsets(Address to, List<OutboxEvent> events) {
    var offsets = new HashMap<String, Long>();
    if (to.partition() < 0) return offsets;
    for (var record : found(to, events)) {
      if (record.value() != null
          && ExecutionCodec.decode(record.value()) instanceof Decoded.Message(var message)) {
        offsets.put(message.eventId(), record.offset());
      }
    }
    return offsets;
  }

  // A record has its event's time, so what lies before it need not be looked at.
  private List<KafkaRecord> found(Address to, List<OutboxEvent> events) {
    var oldest = events.stream().map(OutboxEvent::at).min(Comparator.naturalOrder()).orElseThrow();
    var wanted = to.id().getBytes(UTF_8);
    return finder.since(
        to.kind().topic(),
        to.partition(),
        to.mark() + 1,
        oldest.minus(MARGIN),
        key -> Arrays.equals(key, wanted));
  }

  // One that the broker may refuse goes alone, so that none overtakes it.
  private long send(Address to, List<OutboxEvent> events) {
    var last = to.mark();
    var next = new ArrayList<OutboxEvent>();
    for (var event : events) {
      if (event.json().length() > SAFE_LENGTH && !next.isEmpty()) {
        last = sendTogether(to, next);
        next.clear();
      }
      next.add(event);
      if (event.json().length() > SAFE_LENGTH) {
        last = sendTogether(to, next);
        next.clear();
      }
    }
    return next.isEmpty() ? last : sendTogether(to, next);
  }

  private long sendTogether(Address to, List<OutboxEvent> events) {
    var sent = new ArrayList<CompletableFuture<Long>>();
    for (var event : events) {
      sent.add(
          publisher
              .send(
                  to.kind(),
                  to.id(),
                  event.json().getBytes(UTF_8),
                  event.at(),
                  event.type(),
                  to.traceparent(),
                  to.partition(),
                  true)
              .thenApply(published -> published.offset()));
    }
    var last = to.mark();
    try {
      for (var one : sent) last = one.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof KafkaException cause) throw cause;
      throw failed;
    }
    return last;
  }

  private static void pause(int failures) {
    try {
      Thread.sleep(BACKOFF.after(failures, ThreadLocalRandom.current()));
    } catch (InterruptedException leaving) {
      Thread.currentThread().interrupt();
      throw new ExecutionStopped(Reason.SHUTDOWN);
    }
  }
}
