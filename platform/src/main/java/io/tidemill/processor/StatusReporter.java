package io.tidemill.processor;

import static io.tidemill.contract.workflow.WorkflowFields.COMPLETED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP_INDEX;
import static io.tidemill.contract.workflow.WorkflowFields.ERROR;
import static io.tidemill.contract.workflow.WorkflowFields.RETRY_COUNT;
import static io.tidemill.contract.workflow.WorkflowFields.STARTED_AT;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import io.tidemill.work.Backoff;
import io.tidemill.workflow.ExecutionRecord;
import io.tidemill.workflow.ReportQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reports how workflows or tasks stand to a gateway that learns it in no other way (C2.4).
///
/// Apart from their execution: a gateway that is away holds nothing up, and learns the last state
/// when it is back. What is to be reported is in Redis and survives this process.
final class StatusReporter {
  private static final Logger log = LoggerFactory.getLogger(StatusReporter.class);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LEASE = ReportClient.TIMEOUT.multipliedBy(6);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  private static final int AT_ONCE = 16;
  private static final int MOST_TRIES = 1_500; // about a day

  private final ReportQueue queue;
  private final ReportClient client;
  private final MeterRegistry metrics;
  private final AtomicBoolean isFailing = new AtomicBoolean();

  StatusReporter(ReportQueue queue, ReportClient client, MeterRegistry metrics) {
    this.queue = queue;
    this.client = client;
    this.metrics = metrics;
  }

  /// Does it again and again.
  Service service() {
    return new PeriodicTask(queue.kind().wire() + " reporter", PAUSE, this::reportAll);
  }

  private void reportAll() throws InterruptedException {
    try {
      while (reportSome() == AT_ONCE) {
        // As fast as the gateway takes them.
      }
    } catch (RedisException later) {
      log.debug("reports of {} wait: {}", queue.kind().topic(), later.getMessage());
    }
  }

  private int reportSome() throws InterruptedException {
    var due = queue.take(AT_ONCE, LEASE);
    if (due.isEmpty()) return 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.invokeAll(due.stream().map(this::task).toList());
    }
    return due.size();
  }

  private Callable<Boolean> task(ReportQueue.Due due) {
    return () -> {
      report(due);
      return true;
    };
  }

  private void report(ReportQueue.Due due) throws InterruptedException {
    try {
      answered(due, client.patch(queue.kind(), due.id(), body(queue.kind(), due.fields())));
    } catch (IOException away) {
      retry(due, String.valueOf(away.getMessage()));
    } catch (RedisException unsettled) {
      log.debug("a report of {} is repeated: {}", due.id(), unsettled.getMessage());
    }
  }

  private void answered(ReportQueue.Due due, int status) {
    // Timeout, too early, too many requests: a retry may succeed.
    var isPassing = status >= 500 || status == 408 || status == 425 || status == 429;
    if (isPassing) {
      retry(due, "status " + status);
      return;
    }
    var isTaken = status / 100 == 2;
    if (!isTaken) log.warn("a report of {} is refused with status {}", due.id(), status);
    else if (isFailing.getAndSet(false)) log.info("the gateway takes reports again");
    count(isTaken ? "taken" : "refused");
    queue.settle(due);
  }

  private void retry(ReportQueue.Due due, String why) {
    if (!isFailing.getAndSet(true)) log.warn("processor.report-url: reports wait: {}", why);
    if (due.tries() < MOST_TRIES) {
      count("repeated");
      queue.retry(due, BACKOFF.after(due.tries() + 1, ThreadLocalRandom.current()));
    } else {
      log.warn("a report of {} is given up after {} tries: {}", due.id(), due.tries(), why);
      count("given_up");
      queue.settle(due);
    }
  }

  private void count(String outcome) {
    Counter.builder("flow.reports")
        .description("Reports to the gateway of processor.report-url")
        .tag("kind", queue.kind().wire())
        .tag("outcome", outcome)
        .register(metrics)
        .increment();
  }

  /// What the known gateway reads, in the four words that it has for a status.
  static ObjectNode body(ExecutionKind kind, Map<String, String> record) {
    var status = ExecutionRecord.status(record);
    var body = Json.object().put("status", wire(status));
    copy(body, record, STARTED_AT);
    if (kind == ExecutionKind.WORKFLOW) addStep(body, record, status);
    else body.put(RETRY_COUNT, ExecutionRecords.number(record, RETRY_COUNT));
    if (status.isTerminal()) copy(body, record, COMPLETED_AT);
    if (status.isTerminal() && status != ExecutionStatus.COMPLETED) {
      var error = error(ExecutionRecords.value(record.get(ERROR)));
      body.put(ERROR, error.isEmpty() ? status.wire() : error);
    }
    return body;
  }

  private static String wire(ExecutionStatus status) {
    return switch (status) {
      case PENDING -> "pending";
      case PROCESSING, RETRYING -> "processing";
      case COMPLETED -> "completed";
      case FAILED, CANCELED, DEAD_LETTER -> "failed";
    };
  }

  private static void addStep(ObjectNode body, Map<String, String> record, ExecutionStatus status) {
    if (status == ExecutionStatus.COMPLETED) body.putNull(CURRENT_STEP);
    else copy(body, record, CURRENT_STEP);
    if (record.containsKey(CURRENT_STEP_INDEX)) {
      body.put(CURRENT_STEP_INDEX, ExecutionRecords.number(record, CURRENT_STEP_INDEX));
    }
  }

  private static void copy(ObjectNode body, Map<String, String> record, String field) {
    var value = record.get(field);
    if (value != null) body.put(field, value);
  }

  // As text, which is what the known processor reports.
  private static String error(@Nullable JsonNode error) {
    if (error == null) return "";
    var code = error.path("code").asString("");
    var message = error.path("message").asString("");
    if (code.isEmpty() || message.isEmpty()) return code + message;
    return code + ": " + message;
  }
}
