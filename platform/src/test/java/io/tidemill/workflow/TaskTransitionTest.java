package io.tidemill.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import io.tidemill.workflow.TaskOutcome.Canceled;
import io.tidemill.workflow.TaskOutcome.Done;
import io.tidemill.workflow.TaskOutcome.FailedPermanent;
import io.tidemill.workflow.TaskOutcome.FailedTransient;
import io.tidemill.workflow.TaskOutcome.Started;
import io.tidemill.workflow.TaskOutcome.TooManyTakes;
import io.tidemill.workflow.TaskOutcome.Unpublished;
import io.tidemill.workflow.Transition.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class TaskTransitionTest {
  private static final Instant CREATED = Instant.parse("2026-01-04T01:00:00Z");
  private static final Instant NOW = CREATED.plusSeconds(70);
  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final String STARTED = ExecutionTime.encode(CREATED.plusSeconds(10));
  private static final String LATER = ExecutionTime.encode(NOW.plus(PAUSE));
  private static final ExecutionError ERROR = new ExecutionError("X", "no", "X: no\n  at", true);

  private static Map<String, String> hash(String status, int retries, String... more) {
    var created =
        new TaskCreated("task-1", "data_export", Json.object().put("a", 1), 0, 2, CREATED);
    var hash = ExecutionRecords.fields(created);
    hash.put("status", status);
    hash.put("takes", "4");
    hash.put("retryCount", String.valueOf(retries));
    for (int i = 0; i < more.length; i += 2) hash.put(more[i], more[i + 1]);
    return hash;
  }

  static Stream<Arguments> table() {
    var now = new Write.Immediate();
    var running = hash("processing", 0, "startedAt", STARTED, "error", "{}");
    var exhausted = hash("processing", 2, "startedAt", STARTED);
    var failed = new FailedTransient(ERROR, PAUSE);
    return Stream.of(
        row(
            hash("pending", 0),
            new Started(),
            "processing",
            "task.processing",
            new Write.Deferred()),
        row(
            hash("retrying", 1, "nextRetryAt", STARTED),
            new Started(),
            "processing",
            "task.processing",
            new Write.Deferred()),
        row(running, new Done(Json.object().put("ok", 1)), "completed", "task.completed", now),
        row(running, failed, "retrying", "task.failed", new Write.Release(NOW.plus(PAUSE))),
        row(exhausted, failed, "dead_letter", "task.dead_letter", now),
        row(running, new FailedPermanent(ERROR), "dead_letter", "task.dead_letter", now),
        row(hash("pending", 0), new FailedPermanent(ERROR), "dead_letter", "task.dead_letter", now),
        row(running, new TooManyTakes(), "dead_letter", "task.dead_letter", now),
        row(hash("pending", 0), new Canceled("why"), "canceled", "task.dead_letter", now),
        row(
            hash("retrying", 1, "nextRetryAt", LATER),
            new Canceled("why"),
            "canceled",
            "task.dead_letter",
            now),
        row(hash("pending", 0), new Unpublished(), "failed", "task.dead_letter", now));
  }

  private static Arguments row(
      Map<String, String> hash, TaskOutcome outcome, String status, String event, Write write) {
    return Arguments.of(hash, outcome, status, event, write);
  }

  @ParameterizedTest
  @MethodSource("table")
  void everyOutcomeHasOneTransition(
      Map<String, String> hash, TaskOutcome outcome, String status, String event, Write write) {
    var transition = TaskTransition.after(Task.of(hash), outcome, NOW);

    assertThat(transition.next().status().wire()).isEqualTo(status);
    assertThat(transition.events().stream().map(ExecutionEvent::type)).containsExactly(event);
    assertThat(transition.write()).isEqualTo(write);
  }

  // The record in memory and the hash that the change leads to are the same.
  @ParameterizedTest
  @MethodSource("table")
  void theChangeLeadsToTheNextRecord(
      Map<String, String> hash, TaskOutcome outcome, String status, String event, Write write) {
    var transition = TaskTransition.after(Task.of(hash), outcome, NOW);

    var after = new TreeMap<>(hash);
    after.put("status", status);
    after.putAll(transition.change().fields());
    after.keySet().removeAll(transition.change().removed());

    assertThat(Task.of(after)).isEqualTo(transition.next());
  }

  @Test
  void aRetryWritesWhenAndWhy() {
    var task = Task.of(hash("processing", 1, "startedAt", STARTED));

    var transition = TaskTransition.after(task, new FailedTransient(ERROR, PAUSE), NOW);

    var error = new ExecutionError("X", "no", null, true);
    assertThat(transition.events())
        .containsExactly(
            new ExecutionEvent.TaskFailed("task-1", NOW, 2, 2, error, NOW.plus(PAUSE)));
    assertThat(transition.change().fields())
        .isEqualTo(
            Map.of(
                "retryCount", "2",
                "nextRetryAt", LATER,
                "error", "{\"code\":\"X\",\"message\":\"no\",\"retryable\":true}"));
    assertThat(transition.change().removed()).isEmpty();
  }

  @Test
  void aCompletedTaskHasNoErrorLeft() {
    var task = Task.of(hash("processing", 1, "startedAt", STARTED, "error", "{\"code\":\"X\"}"));

    var transition = TaskTransition.after(task, new Done(Json.object().put("ok", 1)), NOW);

    assertThat(transition.change().fields())
        .isEqualTo(
            Map.of(
                "completedAt", ExecutionTime.encode(NOW),
                "duration", "60000",
                "result", "{\"ok\":1}"));
    assertThat(transition.change().removed()).containsExactlyInAnyOrder("error", "progress");
  }

  @Test
  void aDeadTaskCarriesItsFirstEvent() {
    var task = Task.of(hash("processing", 2, "startedAt", STARTED));

    var transition = TaskTransition.after(task, new FailedPermanent(ERROR), NOW);

    var payload = ExecutionCodec.payload(transition.events().getFirst());
    assertThat(payload.at("/originalEvent/eventType").stringValue()).isEqualTo("task.created");
    assertThat(payload.at("/originalEvent/payload/retryCount").intValue()).isZero();
    assertThat(payload.at("/originalEvent/payload/data/a").intValue()).isEqualTo(1);
    assertThat(payload.at("/retryCount").intValue()).isEqualTo(2);
    assertThat(payload.at("/finalError/stack").stringValue()).isEqualTo("X: no\n  at");
  }
}
