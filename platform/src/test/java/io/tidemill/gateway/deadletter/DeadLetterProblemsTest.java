package io.tidemill.gateway.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.deadletter.RedriveResult.Refusal;
import io.tidemill.schema.SchemaViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeadLetterProblemsTest {
  private static final Instant THEN = Instant.ofEpochMilli(1_767_488_967_123L);

  static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of(
            new RedriveResult.HandledBefore(new Note(How.REDRIVEN, THEN)),
            "'Conflict','status':409,'detail':'it was redriven at 2026-01-04T01:09:27.123Z; "
                + "again=true does it once more','redriven_at':1767488967123"),
        Arguments.of(
            new RedriveResult.HandledBefore(new Note(How.DISCARDED, THEN)),
            "'Conflict','status':409,'detail':'it was discarded at 2026-01-04T01:09:27.123Z; "
                + "again=true redrives it all the same','discarded_at':1767488967123"),
        Arguments.of(
            new RedriveResult.Gone(), "'Not Found','status':404,'detail':'it is no longer there'"),
        Arguments.of(
            new RedriveResult.SchemaMismatch(List.of(new SchemaViolation("/a", "must be a text"))),
            "'Unprocessable Content','status':422,"
                + "'detail':'it does not fit its contract: /a: must be a text',"
                + "'violations':[{'path':'/a','message':'must be a text'}]"),
        Arguments.of(
            new RedriveResult.Impossible("no"),
            "'Unprocessable Content','status':422,'detail':'no'"),
        Arguments.of(
            new RedriveResult.TooLarge("no"), "'Content Too Large','status':413,'detail':'no'"),
        Arguments.of(
            new RedriveResult.NoQueue("q"),
            "'Conflict','status':409,"
                + "'detail':'there is no queue q to go back to; it stays dead'"),
        Arguments.of(
            new RedriveResult.NotDead("running", "no"),
            "'Conflict','status':409,'detail':'no','status_now':'running'"),
        Arguments.of(new RedriveResult.Busy("no"), "'Conflict','status':409,'detail':'no'"),
        Arguments.of(
            new RedriveResult.OverQuota("no", Duration.ofHours(1)),
            "'Too Many Requests','status':429,'detail':'no'"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void everyRefusalIsAProblem(Refusal refusal, String members) {
    assertThat(new String(DeadLetterProblems.of(refusal).json(), UTF_8).replace('"', '\''))
        .isEqualTo("{'type':'about:blank','title':" + members + "}");
  }

  @Test
  void someAreWorthAnotherTry() {
    var quota = new RedriveResult.OverQuota("no", Duration.ofHours(1));

    assertThat(DeadLetterProblems.retryAfter(new RedriveResult.Busy("no")))
        .contains(Duration.ofSeconds(1));
    assertThat(DeadLetterProblems.retryAfter(quota)).contains(Duration.ofHours(1));
    assertThat(DeadLetterProblems.retryAfter(new RedriveResult.Gone())).isEmpty();
  }
}
