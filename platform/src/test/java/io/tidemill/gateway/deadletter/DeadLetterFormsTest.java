package io.tidemill.gateway.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.http.Parameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterFormsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{",
        "{\"value\":1}",
        "{\"headers\":{}}",
        "{\"headers\":[{}]}",
        "{\"headers\":[{\"name\":\"a\"}]}",
        "{\"headers\":[{\"name\":\"a\",\"value\":{}}]}",
        "{\"headers\":[{\"name\":\"a\",\"value_base64\":\"*\"}]}"
      })
  void anEditThatIsNoneIsRefused(String body) {
    assertThatThrownBy(() -> DeadLetterForms.edit(body.getBytes(UTF_8)))
        .isInstanceOf(Parameters.Wrong.class);
  }
}
