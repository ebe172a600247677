package io.tidemill.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidemill.contract.job.JobStatus;
import io.tidemill.job.JobTransition.Event;
import io.tidemill.json.Json;
import io.tidemill.work.Lease;
import io.tidemill.work.Outcome;
import io.tidemill.work.Settlement;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JobTransitionTest {
  private static final long MAX_RESULT = 100_000;
  private static final HeldJob JOB =
      new HeldJob(new Lease("stream", "group", "consumer", "1-0", 1), "job", "chat", null);

  static Stream<Arguments> table() {
    var failed = "{\"code\":\"NO_LUCK\",\"message\":\"why\"}";
    var again = "{\"message\":\"will be tried again: why\"}";
    return Stream.of(
        arguments(
            new Outcome.Done(Json.tree("ok")),
            next(JobStatus.DONE, "\"ok\"", "", "", "worker.done", "{\"result\":\"ok\"}"),
            Settlement.DONE),
        arguments(
            new Outcome.Done(Json.tree("x".repeat(70_000))),
            next(
                JobStatus.DONE,
                "\"" + "x".repeat(70_000) + "\"",
                "",
                "",
                "worker.done",
                "{\"result_size\":70002}"),
            Settlement.DONE),
        arguments(
            new Outcome.Failed("NO_LUCK", "why"),
            next(JobStatus.ERROR, "", failed, "NO_LUCK", "worker.error", failed),
            Settlement.DONE),
        arguments(
            new Outcome.Dead("NO_LUCK", "why"),
            next(JobStatus.ERROR, "", failed, "NO_LUCK", "worker.error", failed),
            new Settlement.DeadLetter("why")),
        arguments(
            new Outcome.Canceled(),
            next(JobStatus.CANCELED, "", "", "", "gateway.cancel", "{}"),
            Settlement.DONE),
        arguments(
            new Outcome.Retry("why"),
            running(new Event("log", "worker.chat", again)),
            new Settlement.Retry("why")),
        arguments(
            new Outcome.Deferred("why"),
            running(new Event("log", "worker.chat", again)),
            new Settlement.Defer("why")),
        arguments(new Outcome.Abandoned(), running(null), new Settlement.Defer("abandoned")));
  }

  @ParameterizedTest
  @MethodSource("table")
  void everyOutcomeHasAStateAnEventAndASettlement(
      Outcome outcome, JobTransition expected, Settlement settlement) { // C3.7, C3.8
    var next = JobTransition.after(JOB, outcome, MAX_RESULT);

    assertThat(next.settlement()).isEqualTo(settlement);
    assertThat(next).isEqualTo(settled(expected, settlement));
  }

  @Test
  void aResultBeyondTheLimitIsAnError() { // F30
    var outcome = new Outcome.Done(Json.tree("x".repeat(200_000)));

    var next = JobTransition.after(JOB, outcome, MAX_RESULT);

    assertThat(next.status()).isEqualTo(JobStatus.ERROR);
    assertThat(next.code()).isEqualTo("RESULT_TOO_LARGE");
    assertThat(next.result()).isEmpty();
    assertThat(next.settlement()).isEqualTo(Settlement.DONE);
  }

  @Test
  void aLongMessageIsCutInTheEventAndWholeInTheDeadLetter() { // F30
    var message = "x".repeat(10_000);

    var next = JobTransition.after(JOB, new Outcome.Dead("NO_LUCK", message), MAX_RESULT);

    assertThat(next.error()).hasSizeLessThan(5_000);
    assertThat(next.settlement()).isEqualTo(new Settlement.DeadLetter(message));
  }

  private static JobTransition next(
      JobStatus status, String result, String error, String code, String step, String data) {
    var event = new Event(status.wire(), step, data);
    return new JobTransition(status, result, error, code, event, Settlement.DONE);
  }

  private static JobTransition running(@Nullable Event event) {
    return new JobTransition(JobStatus.RUNNING, "", "", "", event, Settlement.DONE);
  }

  private static JobTransition settled(JobTransition next, Settlement settlement) {
    return new JobTransition(
        next.status(), next.result(), next.error(), next.code(), next.event(), settlement);
  }
}
