package io.tidemill.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.worker.WorkerConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsExceptionTest {
  @Test
  void isOneLineWhateverTheKeyAndTheValue() { // found by SettingsFuzz
    for (var override :
        List.of(Map.of("wor\r\nker\u2028", "1"), Map.of("worker.slots", "a\nb\u0085"))) {
      assertThatThrownBy(() -> Settings.load(null, Map.of(), override, List.of(WorkerConfig.class)))
          .isInstanceOf(SettingsException.class)
          .satisfies(complaint ->
              assertThat(complaint.getMessage())
                  .doesNotContainPattern("[\\p{Cntrl}\\u0085\\u2028]"));
    }
  }
}
