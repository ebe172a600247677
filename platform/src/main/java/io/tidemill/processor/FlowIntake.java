package io.tidemill.processor;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.broker.kafka.Attempt;
import io.tidemill.broker.kafka.Handled;
import io.tidemill.broker.kafka.KafkaRecord;
import io.tidemill.broker.kafka.RecordHandler;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent;
import io.tidemill.contract.flow.FlowEvent.TaskCreated;
import io.tidemill.contract.flow.FlowEvent.TaskFailed;
import io.tidemill.contract.flow.FlowEvent.WorkflowCreated;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.store.redis.FlowQueue;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.NewFlow;
import io.tidemill.store.redis.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the events of C2 and lets workflows and tasks in, whoever created them. A record is
/// settled when the store has what it asks for; what happens then does not hold up the partition
/// (C2.6).
final class FlowIntake implements RecordHandler {
  private static final Logger log = LoggerFactory.getLogger(FlowIntake.class);
  private static final Handled DONE = new Handled.Done();
  private static final Duration UNKNOWN = Duration.ofSeconds(5);
  private static final Duration AWAY = Duration.ofMillis(500);

  private final FlowQueue workflows;
  private final FlowQueue tasks;
  private final FlowStore taskStore;
  private final Traces traces;
  private final MeterRegistry metrics;

  FlowIntake(
      FlowQueue workflows,
      FlowQueue tasks,
      FlowStore taskStore,
      Traces traces,
      MeterRegistry metrics) {
    this.workflows = workflows;
    this.tasks = tasks;
    this.taskStore = taskStore;
    this.traces = traces;
    this.metrics = metrics;
  }

  /// What our own processors say is in the store already.
  @Override
  public boolean isIdle(KafkaRecord record) {
    return record.header(FlowNames.RECORDED).isPresent();
  }

  @Override
  public Handled handle(Attempt attempt) {
    var record = attempt.record();
    var trace = record.text(FlowNames.TRACEPARENT);
    // What comes without a trace begins one when it is run.
    if (trace.isEmpty()) return handle(record);
    return traces.inSpan(SpanKind.KAFKA, "take in event", trace.get(), () -> handle(record));
  }

  private Handled handle(KafkaRecord record) {
    var value = record.value();
    if (value == null) return new Handled.Dead("the record is empty");
    return switch (FlowCodec.decode(value)) {
      case Decoded.Unreadable(var why) -> dead(record, why);
      case Decoded.Malformed(var why) -> dead(record, why);
      case Decoded.Message(var message) -> handle(message.event(), record);
    };
  }

  private static Handled dead(KafkaRecord record, String why) {
    log.warn("{} goes to the dead letters: {}", record.place(), why);
    return new Handled.Dead(why);
  }

  private Handled handle(FlowEvent event, KafkaRecord record) {
    Traces.note("event", event.type());
    try {
      if (!event.belongsInto(record.topic())) {
        return dead(record, event.type() + " does not belong into topic " + record.topic());
      }
      switch (event) {
        case WorkflowCreated created -> admit(created, record, workflows);
        case TaskCreated created -> admit(created, record, tasks);
        case TaskFailed failed -> {
          if (!schedule(failed, record)) {
            return new Handled.Retry(UNKNOWN, "task " + failed.taskId() + " is not known yet");
          }
        }
        default -> {} // what others report is for the gateway to show
      }
      count(event);
      return DONE;
    } catch (StoreException away) {
      return new Handled.Later(AWAY, String.valueOf(away.getMessage()));
    }
  }

  private static void admit(FlowEvent created, KafkaRecord record, FlowQueue queue) {
    var more = new HashMap<String, String>();
    record.text(FlowNames.TRACEPARENT).ifPresent(trace -> more.put(FlowNames.TRACEPARENT, trace));
    queue.admit(NewFlow.of(created, more), record.partition(), record.offset());
  }

  // A foreign processor has failed: the next attempt is for whoever is there at its time (C2.10).
  private boolean schedule(TaskFailed failed, KafkaRecord record) {
    var fields =
        Map.of(
            "retryCount", String.valueOf(failed.retryCount()),
            "maxRetries", String.valueOf(failed.maxRetries()),
            "nextRetryAt", FlowTime.encode(failed.nextRetryAt()),
            "error", Json.text(FlowCodec.payload(failed).get("error")));
    var report =
        new FlowStore.Report(
            record.partition() + ":" + record.offset(),
            FlowStatus.RETRYING,
            failed.nextRetryAt(),
            new FlowStore.Told(failed.type(), Json.text(FlowCodec.payload(failed))),
            fields);
    return !taskStore.report(failed.taskId(), report).what().equals("gone");
  }

  private void count(FlowEvent event) {
    var type = event instanceof FlowEvent.Unknown ? "unknown" : event.type();
    metrics.counter("flow.events.consumed", "type", type).increment();
  }
}
