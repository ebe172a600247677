package io.tidemill.dashboard.recordsearch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.recordsearch.IndexedRecord;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlainTextTest {
  @Test
  void jsonBecomesWhatItSays() {
    assertThat(
            PlainText.of(
                "{\"to\":[\"a@b.c\",\"x\"],\"n\":1.5,\"say\":\"caf\\u00e9\\nau \\\"lait\\\"\"}"))
        .isEqualTo("to: a@b.c x n: 1.5 say: café au \"lait\"");
    assertThat(PlainText.of("null")).isEmpty();
    assertThat(PlainText.of("just {text}")).isEqualTo("just {text}");
    assertThat(PlainText.join("error", "", "result", "{\"a\":\"b\"}")).isEqualTo("result: a: b");
  }

  @Test
  void whatWasCutOrIsNoJsonIsTakenAsItComes() {
    var json = "{\"a\":\"caf\\u00e9 \\\\ \\n\",\"b\":[{\"c\":null}]}";
    for (int end = 0; end <= json.length(); end++) PlainText.of(json.substring(0, end));

    var random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      var bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      if (bytes.length > 0) bytes[0] = '{';
      assertThat(PlainText.of(bytes).length()).isLessThanOrEqualTo(4 * IndexedRecord.LONGEST_TEXT);
    }
    assertThat(PlainText.of("{\"a\":\"" + "x".repeat(1_000_000)).length())
        .isLessThanOrEqualTo(IndexedRecord.LONGEST_TEXT + 1);
  }
}
