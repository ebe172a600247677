package io.tidemill.deadletter.redrive;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.deadletter.redrive.Redrive.Action;
import io.tidemill.deadletter.redrive.RedriveOutcome.Kind;
import io.tidemill.json.Json;
import io.tidemill.schema.SchemaViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
            new RedriveResult.SchemaMismatch(SchemaViolation.of("no")),
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
    assertThat(RedriveOutcome.after(new RedriveAttempt.Answered(result), "x"))
        .contains(new RedriveOutcome("x", kind, detail));
  }

  static Stream<Arguments> attempts() {
    var before = "it had gone when its gateway stopped";
    return Stream.of(
        Arguments.of(new RedriveAttempt.AlreadySent(), Kind.REDRIVEN, before),
        Arguments.of(new RedriveAttempt.Discarded(), Kind.DISCARDED, ""),
        Arguments.of(new RedriveAttempt.Missing(Action.REDRIVE, true), Kind.REDRIVEN, before),
        Arguments.of(new RedriveAttempt.Missing(Action.DISCARD, true), Kind.DISCARDED, before),
        Arguments.of(
            new RedriveAttempt.Missing(Action.REDRIVE, false),
            Kind.SKIPPED,
            "it is no longer there"),
        Arguments.of(
            new RedriveAttempt.Missing(Action.DISCARD, false),
            Kind.SKIPPED,
            "it is no longer there"),
        Arguments.of(
            new RedriveAttempt.UnknownSource(), Kind.FAILED, "this gateway has no such source"),
        Arguments.of(new RedriveAttempt.Crashed("NPE"), Kind.FAILED, "NPE"),
        Arguments.of(new RedriveAttempt.Exhausted(20), Kind.FAILED, "it could not go in 20 tries"));
  }

  @ParameterizedTest
  @MethodSource("attempts")
  void everyAttemptEndsTheDeadLetter(RedriveAttempt attempt, Kind kind, String detail) {
    assertThat(RedriveOutcome.after(attempt, "x")).contains(new RedriveOutcome("x", kind, detail));
  }

  // A new kind of result or attempt must get its line above.
  @Test
  void theTablesAreComplete() {
    assertThat(kinds(results())).containsAll(leaves(RedriveResult.Sent.class));
    assertThat(kinds(results()))
        .containsAll(
            leaves(RedriveResult.Refusal.class).stream()
                .filter(kind -> kind != RedriveResult.Busy.class)
                .toList());
    assertThat(kinds(attempts()))
        .containsAll(
            leaves(RedriveAttempt.class).stream()
                .filter(kind -> kind != RedriveAttempt.Answered.class)
                .toList());
  }

  private static Set<Class<?>> kinds(Stream<Arguments> table) {
    return table.map(line -> requireNonNull(line.get()[0]).getClass()).collect(Collectors.toSet());
  }

  private static List<Class<?>> leaves(Class<?> sealed) {
    return List.of(sealed.getPermittedSubclasses());
  }

  @Test
  void whatIsBusyIsTriedAgain() {
    var busy = new RedriveAttempt.Answered(new RedriveResult.Busy("others do"));

    assertThat(RedriveOutcome.after(busy, "x")).isEmpty();
  }

  @Test
  void aLongDetailIsCut() {
    var outcome = new RedriveOutcome("x", Kind.FAILED, "y".repeat(10_000));

    assertThat(outcome.detail()).hasSize(500);
  }
}
