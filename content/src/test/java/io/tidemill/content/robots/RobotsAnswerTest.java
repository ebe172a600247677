package io.tidemill.content.robots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.url.WebUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RobotsAnswerTest {
  private static final WebUrl PAGE = WebUrl.parse("https://example.org/x").orElseThrow();
  private static final byte[] KEEP_OUT =
      "User-agent: *\nDisallow: /x".getBytes(StandardCharsets.UTF_8);

  @ParameterizedTest
  @CsvSource({ // F51
    "200, false, 1440",
    "206, false, 1440",
    "204, false, 1440",
    "301, true,  1440",
    "308, true,  1440",
    "400, true,  1440",
    "401, true,  1440",
    "403, true,  1440",
    "404, true, 1440",
    "410, true, 1440",
    "429, false, 10",
    "500, false, 10",
    "503, false, 10",
    "599, false, 10",
    "0,   false, 10",
    "100, false, 10",
    "999, false, 10"
  })
  void everyStatusHasAMeaning(int status, boolean allowed, int minutes) {
    var answer = RobotsAnswer.of(status, KEEP_OUT, "Tidemill");

    assertThat(answer.rules().allows(PAGE)).isEqualTo(allowed);
    assertThat(answer.keep()).isEqualTo(Duration.ofMinutes(minutes));
  }

  @Test
  void noAnswerMeansKeepOutForNow() {
    assertThat(RobotsAnswer.unreachable().rules().allows(PAGE)).isFalse();
    assertThat(RobotsAnswer.unreachable().keep()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void anEmptyFileAllowsAll() {
    assertThat(RobotsAnswer.of(200, new byte[0], "Tidemill").rules().allows(PAGE)).isTrue();
  }
}
