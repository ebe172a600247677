package io.tidemill.deadletter.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.deadletter.redrive.RedriveOutcome.Kind;
import io.tidemill.json.Json;
import io.tidemill.schema.SchemaViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RedriveOutcomeTest {
  private static final Instant THEN = Instant.parse("2026-01-04T01:09:27.123Z");

  static Stream<Arguments> results() {
    return Stream.of(
        Arguments.of(new RedriveResult.SentToTopic("t:0-1", "t", 2, 7), Kind.REDRIVEN, "t-2@7"),
        Arguments.of(new RedriveResult.SentToQueue("q:1", "q"), Kind.REDRIVEN, "queue q"),
        Arguments.of(new RedriveResult.JobCreated("1-0", "j"), Kind.REDRIVEN, "job j"),
        Arguments.of(new RedriveResult.TaskRestarted("task-1"), Kind.REDRIVEN, "task task-1"),
        Arguments.of(
            new RedriveResult.CrawlStarted("c-1", Json.object()), Kind.REDRIVEN, "crawl c-1"),
        Arguments.of(
            new RedriveResult.HandledBefore(new Note(How.REDRIVEN, THEN)),
            Kind.SKIPPED,
            "it was redriven at 2026-01-04T01:09:27.123Z; again=true does it once more"),
        Arguments.of(
            new RedriveResult.HandledBefore(new Note(How.DISCARDED, THEN)),
            Kind.SKIPPED,
            "it was discarded at 2026-01-04T01:09:27.123Z; again=true redrives it all the same"),
        Arguments.of(new RedriveResult.Gone(), Kind.SKIPPED, "it is no longer there"),
        Arguments.of(
            new RedriveResult.Misfit(SchemaViolation.of("no")),
            Kind.FAILED,
            "it does not fit its contract: no"),
        Arguments.of(new RedriveResult.Impossible("no job"), Kind.FAILED, "no job"),
        Arguments.of(new RedriveResult.TooLarge("9 MB"), Kind.FAILED, "9 MB"),
        Arguments.of(
            new RedriveResult.NoQueue("q"),
            Kind.FAILED,
            "there is no queue q to go back to; it stays dead"),
        Arguments.of(new RedriveResult.NotDead("running", "it runs"), Kind.FAILED, "it runs"),
        Arguments.of(
            new RedriveResult.OverQuota("too many", Duration.ofHours(1)), Kind.FAILED, "too many"));
  }

  @ParameterizedTest
  @MethodSource("results")
  void everyResultEndsTheDeadLetter(RedriveResult result, Kind kind, String detail) {
    assertThat(RedriveOutcome.after(result, "x")).contains(new RedriveOutcome("x", kind, detail));
  }

  @Test
  void whatIsBusyIsTriedAgain() {
    assertThat(RedriveOutcome.after(new RedriveResult.Busy("others do"), "x")).isEmpty();
  }

  @Test
  void aLongDetailIsCut() {
    var outcome = new RedriveOutcome("x", Kind.FAILED, "y".repeat(10_000));

    assertThat(outcome.detail()).hasSize(500);
  }
}
