package io.tidemill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeathReasonTest {
  @ParameterizedTest
  @CsvSource({
    "the event is not valid JSON at line 1,1,UNREADABLE",
    "not JSON,3,UNREADABLE",
    "the record is empty,1,UNREADABLE",
    "url is missing,1,MALFORMED",
    "failed 5 times: project_id is missing,5,FAILED_REPEATEDLY",
    "'the batch has 9 bytes: expected at most 4',1,BAD_BATCH",
    "failed 3 times: the batch is not UTF-8,3,BAD_BATCH",
    "'',1,UNKNOWN",
  })
  void oneWordSaysWhatWasWrong(String message, int attempts, String reason) {
    assertThat(DeathReason.of(message, attempts)).isEqualTo(reason);
  }
}
