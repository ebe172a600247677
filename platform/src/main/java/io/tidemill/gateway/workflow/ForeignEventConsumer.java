package io.tidemill.gateway.workflow;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.Unknown;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.RecordAttempt;
import io.tidemill.kafka.consumer.RecordHandler;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Settlement;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.ExecutionStore.Report;
import io.tidemill.workflow.ExecutionStore.Reported;
import io.tidemill.workflow.ForeignEvents;
import io.tidemill.workflow.NewExecution;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records the events of gateways and processors of another make, each event once (C2.4).
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

  /// Our own processors have recorded what they publish.
  @Override
  public boolean isIdle(KafkaRecord record) {
    return record.header(ExecutionNames.RECORDED).isPresent();
  }

  /// One record of either topic. Processors move unreadable records to the dead letters.
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

  // Processors move what lies in the wrong topic to the dead letters, too.
  private static boolean isShown(ExecutionEvent event, KafkaRecord record) {
    return ExecutionNames.isId(event.id()) && event.belongsInto(record.topic());
  }

  private void show(ExecutionEvent event, KafkaRecord record) {
    switch (event) {
      case WorkflowCreated _, TaskCreated _ -> note(event, record);
      case Unknown _ -> count("unknown");
      // Processors run a failed task again: here its failure is only shown.
      default -> {
        var place = record.partition() + ":" + record.offset();
        ForeignEvents.report(event, place).ifPresent(report -> report(event, record, report));
      }
    }
  }

  private void note(ExecutionEvent created, KafkaRecord record) {
    var partition = Map.of(WorkflowFields.PARTITION, String.valueOf(record.partition()));
    if (store(created).note(NewExecution.of(created, partition))) count("created");
  }

  private void report(ExecutionEvent event, KafkaRecord record, Report report) {
    var trace = record.text(ExecutionNames.TRACEPARENT).orElse(null);
    // A report without a trace does not begin one.
    if (trace == null) report(event, report);
    else traces.inSpan(SpanKind.KAFKA, "take in report", trace, () -> traced(event, report));
  }

  private Reported traced(ExecutionEvent event, Report report) {
    Traces.about(kind(event).wire(), event.id());
    Traces.note("event", event.type());
    return report(event, report);
  }

  private Reported report(ExecutionEvent event, Report report) {
    var answer = store(event).report(event.id(), report).what();
    count(answer.wire());
    return answer;
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
