package io.tidemill.gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.broker.kafka.Attempt;
import io.tidemill.broker.kafka.Handled;
import io.tidemill.broker.kafka.KafkaRecord;
import io.tidemill.broker.kafka.RecordHandler;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent;
import io.tidemill.contract.flow.FlowEvent.StepCompleted;
import io.tidemill.contract.flow.FlowEvent.TaskCompleted;
import io.tidemill.contract.flow.FlowEvent.TaskCreated;
import io.tidemill.contract.flow.FlowEvent.TaskDeadLetter;
import io.tidemill.contract.flow.FlowEvent.TaskFailed;
import io.tidemill.contract.flow.FlowEvent.TaskProcessing;
import io.tidemill.contract.flow.FlowEvent.Unknown;
import io.tidemill.contract.flow.FlowEvent.WorkflowCompleted;
import io.tidemill.contract.flow.FlowEvent.WorkflowCreated;
import io.tidemill.contract.flow.FlowEvent.WorkflowFailed;
import io.tidemill.contract.flow.FlowEvent.WorkflowProcessing;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FlowStore.Report;
import io.tidemill.store.redis.FlowStore.Told;
import io.tidemill.store.redis.NewFlow;
import io.tidemill.store.redis.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shows what gateways and processors of another make say about workflows and tasks, each event
/// once (C2.4).
final class ForeignFlows implements RecordHandler {
  private static final Logger log = LoggerFactory.getLogger(ForeignFlows.class);
  private static final Duration STORE_PAUSE = Duration.ofMillis(500);

  private final Map<FlowKind, FlowStore> stores;
  private final Traces traces;
  private final MeterRegistry metrics;

  ForeignFlows(Map<FlowKind, FlowStore> stores, Traces traces, MeterRegistry metrics) {
    this.stores = Map.copyOf(stores);
    this.traces = traces;
    this.metrics = metrics;
  }

  /// What our own processors say is in the store already.
  @Override
  public boolean isIdle(KafkaRecord record) {
    return record.header(FlowNames.RECORDED).isPresent();
  }

  /// One record of either topic. What can't be read is the processors' to put aside.
  @Override
  public Handled handle(Attempt attempt) {
    var record = attempt.record();
    var value = record.value();
    if (value == null) return new Handled.Done();
    if (!(FlowCodec.decode(value) instanceof Decoded.Message(var message))) {
      return new Handled.Done();
    }
    try {
      if (isShown(message.event(), record)) show(message.event(), record);
    } catch (StoreException silent) {
      var why = String.valueOf(silent.getMessage());
      if (!silent.isRefusal()) return new Handled.Later(STORE_PAUSE, why);
      log.warn("{} is not shown: {}", record.place(), why);
    }
    return new Handled.Done();
  }

  // What lies in the wrong topic is the processors' to put aside, too.
  private static boolean isShown(FlowEvent event, KafkaRecord record) {
    return FlowNames.isId(event.id()) && event.belongsInto(record.topic());
  }

  private void show(FlowEvent event, KafkaRecord record) {
    switch (event) {
      case WorkflowCreated created -> note(created, record);
      case TaskCreated created -> note(created, record);
      case WorkflowProcessing started ->
          report(
              started,
              record,
              FlowStatus.PROCESSING,
              Map.of(
                  "startedAt", FlowTime.encode(started.startedAt()),
                  "currentStep", started.currentStep(),
                  "currentStepIndex", String.valueOf(started.currentStepIndex())));
      case StepCompleted step -> report(step, record, FlowStatus.PROCESSING, after(step));
      case WorkflowCompleted done ->
          report(
              done,
              record,
              FlowStatus.COMPLETED,
              Map.of(
                  "completedAt", FlowTime.encode(done.completedAt()),
                  "duration", String.valueOf(done.duration()),
                  "stepsCompleted", String.valueOf(done.stepsCompleted()),
                  "summary", Json.text(done.summary())));
      case WorkflowFailed failed ->
          report(
              failed,
              record,
              FlowStatus.FAILED,
              Map.of(
                  "completedAt", FlowTime.encode(failed.failedAt()),
                  "currentStep", failed.failedStep(),
                  "currentStepIndex", String.valueOf(failed.failedStepIndex()),
                  "error", error(failed, "error")));
      case TaskProcessing started ->
          report(
              started,
              record,
              FlowStatus.PROCESSING,
              Map.of(
                  "startedAt", FlowTime.encode(started.startedAt()),
                  "retryCount", String.valueOf(started.retryCount())));
      case TaskCompleted done ->
          report(
              done,
              record,
              FlowStatus.COMPLETED,
              Map.of(
                  "completedAt", FlowTime.encode(done.completedAt()),
                  "duration", String.valueOf(done.duration()),
                  "result", Json.text(done.result())));
      // Whoever reads it in the group of the processors runs it again: here it is only shown.
      case TaskFailed failed ->
          report(
              failed,
              record,
              FlowStatus.RETRYING,
              Map.of(
                  "retryCount", String.valueOf(failed.retryCount()),
                  "nextRetryAt", FlowTime.encode(failed.nextRetryAt()),
                  "error", error(failed, "error")));
      case TaskDeadLetter dead ->
          report(
              dead,
              record,
              FlowStatus.DEAD_LETTER,
              Map.of(
                  "completedAt", FlowTime.encode(dead.deadLetteredAt()),
                  "retryCount", String.valueOf(dead.retryCount()),
                  "error", error(dead, "finalError")));
      case Unknown _ -> count("unknown");
    }
  }

  private static String error(FlowEvent event, String field) {
    return Json.text(FlowCodec.payload(event).path(field));
  }

  // The steps' names are in the record, not in the event: which comes next is left to the next one.
  private static Map<String, String> after(StepCompleted step) {
    var journal = FlowCodec.payload(step).without("workflowId");
    return Map.of(
        FlowRecords.step(step.stepIndex()),
        Json.text(journal),
        "stepsCompleted",
        String.valueOf(step.stepIndex() + 1),
        "currentStep",
        step.stepName(),
        "currentStepIndex",
        String.valueOf(step.stepIndex()));
  }

  private void note(FlowEvent created, KafkaRecord record) {
    var partition = Map.of("partition", String.valueOf(record.partition()));
    if (store(created).note(NewFlow.of(created, partition))) count("created");
  }

  private void report(
      FlowEvent event, KafkaRecord record, FlowStatus status, Map<String, String> fields) {
    var place = record.partition() + ":" + record.offset();
    var told = new Told(event.type(), FlowShape.told(event));
    var report = new Report(place, status, null, told, fields);
    var trace = record.text(FlowNames.TRACEPARENT).orElse(null);
    // A trace of nothing but what others tell is of no use.
    if (trace == null) count(store(event).report(event.id(), report).what());
    else traces.inSpan(SpanKind.KAFKA, "take in report", trace, () -> traced(event, report));
  }

  private String traced(FlowEvent event, Report report) {
    Traces.about(kind(event).wire(), event.id());
    Traces.note("event", event.type());
    var what = store(event).report(event.id(), report).what();
    count(what);
    return what;
  }

  private FlowStore store(FlowEvent event) {
    return Objects.requireNonNull(stores.get(kind(event)));
  }

  private static FlowKind kind(FlowEvent event) {
    return event instanceof FlowEvent.OfWorkflow ? FlowKind.WORKFLOW : FlowKind.TASK;
  }

  private void count(String what) {
    metrics.counter("gateway.foreign.events", "shown", what).increment();
  }
}
