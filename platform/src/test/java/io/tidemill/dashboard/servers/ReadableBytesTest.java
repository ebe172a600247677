package io.tidemill.dashboard.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.json.Json;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ReadableBytesTest {
  private static ObjectNode value(byte[] bytes) {
    var out = Json.object();
    ReadableBytes.value(out, bytes);
    return out;
  }

  @Test
  void textIsShownAsTextAndBytesAsBase64() {
    assertThat(value("tidé".getBytes(UTF_8))).hasToString("{\"size\":5,\"value\":\"tidé\"}");
    assertThat(value(new byte[] {-1, 0})).hasToString("{\"size\":2,\"value_base64\":\"/wA=\"}");
  }

  @Test
  void aLongTextIsCutBetweenCharacters() {
    var text = "x" + "é".repeat(ReadableBytes.LARGEST);

    var shown = value(text.getBytes(UTF_8));

    assertThat(shown.get("cut").booleanValue()).isTrue();
    assertThat(shown.get("size").intValue()).isEqualTo(1 + 2 * ReadableBytes.LARGEST);
    assertThat(shown.get("value").stringValue())
        .isEqualTo("x" + "é".repeat(ReadableBytes.LARGEST / 2 - 1));
  }

  @Test
  void longBytesAreCutToo() {
    var bytes = new byte[ReadableBytes.LARGEST + 1];
    Arrays.fill(bytes, (byte) -1);

    var shown = value(bytes);

    assertThat(shown.get("value_base64").stringValue())
        .hasSize((ReadableBytes.LARGEST + 2) / 3 * 4);
    assertThat(shown.get("cut").booleanValue()).isTrue();
  }
}
