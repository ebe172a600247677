package io.tidemill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeathCauseTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "no answer in 3000 ms | no answer in <number> ms",
        "no answer in 3000ms | no answer in <number>ms",
        "17 of 1,024 rows (1.66 %) | <number> of <number> rows (<number> %)",
        "took 1.5e-3 s | took <number> s",
        "workflow wf-0f8fad5b-d9cb-469f-a165-70867728950e is gone | workflow wf-<id> is gone",
        "task-0F8FAD5B-D9CB-469F-A165-70867728950E | task-<id>",
        "the host answered 503 | the host answered <number>",
        "https://example.org/a?b=c#d said no | <url> said no",
        "(see http://127.0.0.1:8080/x) | (see <url>)",
        "s3://bucket/key is missing | <url> is missing",
        "redis://u:p@host:6379/0: down | <url> down",
        "field \"name\" is missing | field <text> is missing",
        "unknown task 'mail' | unknown task <text>",
        "can't be read, isn't JSON | can't be read, isn't JSON",
        "it's 'a b' and 'c' | it's <text> and <text>",
        "no key `x.y` | no key <text>",
        "“quoted” and «quoted» | <text> and <text>",
        "at 2026-01-04T01:09:27.123Z | at <time>",
        "at 2026-01-04 01:09:27,5 | at <time>",
        "until 2026-01-04T01:09:27+02:00 or so | until <time> or so",
        "on 2026-01-04 it died | on <time> it died",
        "at 01:09:27 it died | at <time> it died",
        "java.lang.Object@1b6d3586 | java.lang.Object@<address>",
        "segfault at 0x7fff5fbff8c0 | segfault at <address>",
        "etag 9e107d9d372bb6826bd81d3542a419d6 differs | etag <hash> differs",
        "commit a27cced0 | commit <hash>",
        "dead beef | dead beef",
        "id 01HX3Z9K2M4N6P8Q0R2S4T6V8W | id <id>",
        "connection to 10.0.0.12:9092 refused | connection to <host> refused",
        "connection to 10.0.0.12 refused | connection to <host> refused",
        "connect to [::1]:443 failed | connect to <host> failed",
        "localhost:6379 is away | <host> is away",
        "kafka-0.broker.svc:9092 is away | <host> is away",
        "www.example.org does not resolve | <host> does not resolve",
        "java.io.IOException: broken | java.io.IOException: broken",
        "payload.steps must be a list | payload.steps must be a list",
        "mail to alice.b@example.co.uk bounced | mail to <email> bounced",
        "not valid JSON at line 3, column 17 | not valid JSON at line <number>, column <number>",
        "utf8 and sha256 stay | utf8 and sha256 stay",
        "offset 12-34 | offset <number>-<number>",
        "partition workflows-2@0 | partition workflows-<number>@<number>",
      })
  void putsPlaceholdersWhereLettersDiffer(String message, String text) {
    assertThat(DeathCause.normalised(message)).isEqualTo(text);
  }

  @Test
  void isTheSameForMessagesThatDifferInDetails() {
    var one =
        DeathCause.of("jobs", "ERROR", "host a.example.org:80 gave 17 bytes at 2026-01-04T01:09Z");
    var other =
        DeathCause.of("jobs", "ERROR", "host b.example.org:81 gave 9 bytes at 2026-02-04T01:09Z");

    assertThat(one).isEqualTo(other);
    assertThat(one.id()).matches("[0-9a-f]{16}");
  }

  @Test
  void isAnotherForAnotherSourceOrReasonOrText() {
    var cause = DeathCause.of("jobs", "ERROR", "no answer").id();

    assertThat(DeathCause.of("tasks", "ERROR", "no answer").id()).isNotEqualTo(cause);
    assertThat(DeathCause.of("jobs", "TIMEOUT", "no answer").id()).isNotEqualTo(cause);
    assertThat(DeathCause.of("jobs", "ERROR", "no reply").id()).isNotEqualTo(cause);
  }

  @Test
  void whiteSpaceAndControlCharactersDoNotMatter() {
    assertThat(DeathCause.normalised(" a\n\tb\u0000\u001b[31m ")).isEqualTo("a b [<number>m");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "1", "a.", "-", "\"", "'", "a:", "[:", "0x", "f0", "a@", "\ud83d", "é"})
  void noTextTakesLong(String piece) {
    var text = piece.repeat(100_000);

    assertThatNoException()
        .isThrownBy(() ->
            Assertions.assertTimeout(
                Duration.ofSeconds(2), () -> DeathCause.of("jobs", "ERROR", text)));
  }
}
