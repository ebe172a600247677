package io.tidemill.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LogContextTest {
  @Test
  void earlierValuesComeBack() {
    try (var _ = LogContext.with("job_id", "1")) {
      try (var _ = LogContext.with("job_id", "2", "event_id", "e", "job_id", "3")) {
        assertThat(MDC.get("job_id")).isEqualTo("3");
        assertThat(MDC.get("event_id")).isEqualTo("e");
      }
      assertThat(MDC.get("job_id")).isEqualTo("1");
      assertThat(MDC.get("event_id")).isNull();
    }
    assertThat(MDC.get("job_id")).isNull();
  }

  @Test
  void aKeyNeedsAValue() {
    assertThatThrownBy(() -> LogContext.with("a", "1", "b")).hasMessageContaining("a key without");
  }
}
