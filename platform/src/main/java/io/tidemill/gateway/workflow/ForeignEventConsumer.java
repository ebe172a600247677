package io.tidemill.gateway.workflow;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.StepCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.TaskDeadLetter;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.TaskProcessing;
import io.tidemill.contract.workflow.ExecutionEvent.Unknown;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowProcessing;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.RecordAttempt;
import io.tidemill.kafka.consumer.RecordHandler;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Settlement;
import io.tidemill.workflow.ExecutionShape;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.ExecutionStore.FollowerEvent;
import io.tidemill.workflow.ExecutionStore.Report;
import io.tidemill.workflow.NewExecution;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shows what gateways and processors of another make say about workflows and tasks, each event
/// once (C2.4).
final class ForeignEventConsumer implements RecordHandler {
  private static final Logger log = LoggerFactory.getLogger(ForeignEventConsumer.class);
  private static final Duration STORE_PAUSE = Duration.ofMillis(500);

  private final Map<ExecutionKind, ExecutionStore> stores;
  private final Traces traces;
  private final MeterRegistry metrics;

  ForeignEventConsumer(
      Map<ExecutionKind, ExecutionStore> stores, Traces traces, MeterRegistry metrics) {
    this.stores = Map.copyOf(stores);
    this.traces = traces;
    this.metrics = metrics;
  }

  /// What our own processors say is in the store already.
  @Override
  public boolean isIdle(KafkaRecord record) {
    return record.header(ExecutionNames.RECORDED).isPresent();
  }

  /// One record of either topic. What can't be read is the processors' to put aside.
  @Override
  public Settlement handle(RecordAttempt attempt) {
    var record = attempt.record();
    var value = record.value();
    if (value == null) return Settlement.DONE;
    if (!(ExecutionCodec.decode(value) instanceof Decoded.Message(var message))) {
      return Settlement.DONE;
    }
    try {
      if (isShown(message.event(), record)) show(message.event(), record);
    } catch (RedisException silent) {
      var why = String.valueOf(silent.getMessage());
      if (!silent.isRefusal()) return new Settlement.Defer(STORE_PAUSE, why);
      log.warn("{} is not shown: {}", record.place(), why);
    }
    return Settlement.DONE;
  }

  // What lies in the wrong topic is the processors' to put aside, too.
  private static boolean isShown(ExecutionEvent event, KafkaRecord record) {
    return ExecutionNames.isId(event.id()) && event.belongsInto(record.topic());
  }

  private void show(ExecutionEvent event, KafkaRecord record) {
    switch (event) {
      case WorkflowCreated created -> note(created, record);
      case TaskCreated created -> note(created, record);
      case WorkflowProcessing started ->
          report(
              started,
              record,
              ExecutionStatus.PROCESSING,
              Map.of(
                  "startedAt", ExecutionTime.encode(started.startedAt()),
                  "currentStep", started.currentStep(),
                  "currentStepIndex", String.valueOf(started.currentStepIndex())));
      case StepCompleted step -> report(step, record, ExecutionStatus.PROCESSING, after(step));
      case WorkflowCompleted done ->
          report(
              done,
              record,
              ExecutionStatus.COMPLETED,
              Map.of(
                  "completedAt", ExecutionTime.encode(done.completedAt()),
                  "duration", String.valueOf(done.duration()),
                  "stepsCompleted", String.valueOf(done.stepsCompleted()),
                  "summary", Json.text(done.summary())));
      case WorkflowFailed failed ->
          report(
              failed,
              record,
              ExecutionStatus.FAILED,
              Map.of(
                  "completedAt", ExecutionTime.encode(failed.failedAt()),
                  "currentStep", failed.failedStep(),
                  "currentStepIndex", String.valueOf(failed.failedStepIndex()),
                  "error", error(failed, "error")));
      case TaskProcessing started ->
          report(
              started,
              record,
              ExecutionStatus.PROCESSING,
              Map.of(
                  "startedAt", ExecutionTime.encode(started.startedAt()),
                  "retryCount", String.valueOf(started.retryCount())));
      case TaskCompleted done ->
          report(
              done,
              record,
              ExecutionStatus.COMPLETED,
              Map.of(
                  "completedAt", ExecutionTime.encode(done.completedAt()),
                  "duration", String.valueOf(done.duration()),
                  "result", Json.text(done.result())));
      // Whoever reads it in the group of the processors runs it again: here it is only shown.
      case TaskFailed failed ->
          report(
              failed,
              record,
              ExecutionStatus.RETRYING,
              Map.of(
                  "retryCount", String.valueOf(failed.retryCount()),
                  "nextRetryAt", ExecutionTime.encode(failed.nextRetryAt()),
                  "error", error(failed, "error")));
      case TaskDeadLetter dead ->
          report(
              dead,
              record,
              ExecutionStatus.DEAD_LETTER,
              Map.of(
                  "completedAt", ExecutionTime.encode(dead.deadLetteredAt()),
                  "retryCount", String.valueOf(dead.retryCount()),
                  "error", error(dead, "finalError")));
      case Unknown _ -> count("unknown");
    }
  }

  private static String error(ExecutionEvent event, String field) {
    return Json.text(ExecutionCodec.payload(event).path(field));
  }

  // The steps' names are in the record, not in the event: which comes next is left to the next one.
  private static Map<String, String> after(StepCompleted step) {
    var journal = ExecutionCodec.payload(step).without("workflowId");
    return Map.of(
        ExecutionRecords.step(step.stepIndex()),
        Json.text(journal),
        "stepsCompleted",
        String.valueOf(step.stepIndex() + 1),
        "currentStep",
        step.stepName(),
        "currentStepIndex",
        String.valueOf(step.stepIndex()));
  }

  private void note(ExecutionEvent created, KafkaRecord record) {
    var partition = Map.of("partition", String.valueOf(record.partition()));
    if (store(created).note(NewExecution.of(created, partition))) count("created");
  }

  private void report(
      ExecutionEvent event,
      KafkaRecord record,
      ExecutionStatus status,
      Map<String, String> fields) {
    var place = record.partition() + ":" + record.offset();
    var told = new FollowerEvent(event.type(), ExecutionShape.eventData(event));
    var report = new Report(place, status, null, told, fields);
    var trace = record.text(ExecutionNames.TRACEPARENT).orElse(null);
    // A trace of nothing but what others tell is of no use.
    if (trace == null) count(store(event).report(event.id(), report).what());
    else traces.inSpan(SpanKind.KAFKA, "take in report", trace, () -> traced(event, report));
  }

  private String traced(ExecutionEvent event, Report report) {
    Traces.about(kind(event).wire(), event.id());
    Traces.note("event", event.type());
    var what = store(event).report(event.id(), report).what();
    count(what);
    return what;
  }

  private ExecutionStore store(ExecutionEvent event) {
    return Objects.requireNonNull(stores.get(kind(event)));
  }

  private static ExecutionKind kind(ExecutionEvent event) {
    return event instanceof ExecutionEvent.OfWorkflow ? ExecutionKind.WORKFLOW : ExecutionKind.TASK;
  }

  private void count(String what) {
    metrics.counter("gateway.foreign.events", "shown", what).increment();
  }
}
