package io.tidemill.processor;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.RecordAttempt;
import io.tidemill.kafka.consumer.RecordHandler;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Settlement;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.ExecutionStore.Reported;
import io.tidemill.workflow.ForeignEvents;
import io.tidemill.workflow.NewExecution;
import java.time.Duration;
import java.util.HashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the events of C2 and admits workflows and tasks to the queue, also foreign ones. A record
/// is settled when the store has what it asks for; what happens then does not hold up the partition
/// (C2.6).
final class ExecutionIntake implements RecordHandler {
  private static final Logger log = LoggerFactory.getLogger(ExecutionIntake.class);
  private static final Duration UNKNOWN = Duration.ofSeconds(5);
  private static final Duration AWAY = Duration.ofMillis(500);

  private final ExecutionQueue workflows;
  private final ExecutionQueue tasks;
  private final ExecutionStore taskStore;
  private final Traces traces;
  private final MeterRegistry metrics;

  ExecutionIntake(
      ExecutionQueue workflows,
      ExecutionQueue tasks,
      ExecutionStore taskStore,
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
    return record.header(ExecutionNames.RECORDED).isPresent();
  }

  @Override
  public Settlement handle(RecordAttempt attempt) {
    var record = attempt.record();
    var trace = record.text(ExecutionNames.TRACEPARENT);
    // What comes without a trace begins one when it is run.
    if (trace.isEmpty()) return handle(record);
    return traces.inSpan(SpanKind.KAFKA, "take in event", trace.get(), () -> handle(record));
  }

  private Settlement handle(KafkaRecord record) {
    var value = record.value();
    if (value == null) return new Settlement.DeadLetter("the record is empty");
    return switch (ExecutionCodec.decode(value)) {
      case Decoded.Unreadable(var why) -> dead(record, why);
      case Decoded.Malformed(var why) -> dead(record, why);
      case Decoded.Message(var message) -> handle(message.event(), record);
    };
  }

  private static Settlement dead(KafkaRecord record, String why) {
    log.warn("{} goes to the dead letters: {}", record.place(), why);
    return new Settlement.DeadLetter(why);
  }

  private Settlement handle(ExecutionEvent event, KafkaRecord record) {
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
            return new Settlement.Retry(UNKNOWN, "task " + failed.id() + " is not known yet");
          }
        }
        default -> {} // what others report is for the gateway to show
      }
      count(event);
      return Settlement.DONE;
    } catch (RedisException away) {
      return new Settlement.Defer(AWAY, String.valueOf(away.getMessage()));
    }
  }

  private static void admit(ExecutionEvent created, KafkaRecord record, ExecutionQueue queue) {
    var more = new HashMap<String, String>();
    record
        .text(ExecutionNames.TRACEPARENT)
        .ifPresent(trace -> more.put(WorkflowFields.TRACEPARENT, trace));
    queue.admit(NewExecution.of(created, more), record.partition(), record.offset());
  }

  // A foreign processor has failed: any processor runs the next attempt when it is due (C2.10).
  private boolean schedule(TaskFailed failed, KafkaRecord record) {
    var report = ForeignEvents.retry(failed, record.partition() + ":" + record.offset());
    return taskStore.report(failed.id(), report).what() != Reported.GONE;
  }

  private void count(ExecutionEvent event) {
    var type = event instanceof ExecutionEvent.Unknown ? "unknown" : event.type();
    metrics.counter("flow.events.consumed", "type", type).increment();
  }
}
