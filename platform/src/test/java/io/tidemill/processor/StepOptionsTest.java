package io.tidemill.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class StepOptionsTest {
  @Test
  void thePlaceComesBeforeTheName() throws Exception {
    var input = "{\"export\":{\"format\":\"csv\"},\"1.export\":{\"format\":\"xlsx\"}}";

    assertThat(of(input, "export").own().path("format").asString()).isEqualTo("xlsx");
  }

  @Test
  void theTimeLimitIsNotForTheStep() throws Exception {
    var options = of("{\"export\":{\"format\":\"csv\",\"timeout\":\"5s\"}}", "export");

    assertThat(options.timeout()).contains(Duration.ofSeconds(5));
    assertThat(Json.text(options.own())).isEqualTo("{\"format\":\"csv\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"export\":\"xlsx\"}", "{\"1.export\":[]}", "{\"export\":7}"})
  void whatIsNoObjectIsRefused(String input) {
    assertThatThrownBy(() -> of(input, "export"))
        .isInstanceOfSatisfying(
            WorkFailure.class, it -> assertThat(it.code()).isEqualTo("INVALID_OPTIONS"))
        .hasMessageContaining("export must be an object");
  }

  @Test
  void aCrawlMayBeNamedWhereOptionsStand() throws Exception {
    assertThat(of("{\"crawl\":\"some-id\"}", "crawl").own()).isEmpty();
    assertThat(of("{\"export\":null}", "export").own()).isEmpty();
  }

  private static StepOptions of(String input, String step) throws WorkFailure {
    return StepOptions.of((ObjectNode) Json.parse(input), step, 1);
  }
}
