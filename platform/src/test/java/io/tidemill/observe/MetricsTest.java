package io.tidemill.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsTest {
  @Test
  void showsTheJvmAndWhatOthersCount() {
    try (var metrics = new Metrics()) {
      metrics.registry().counter("jobs.done").increment();

      assertThat(metrics.scrape())
          .contains("jobs_done_total 1.0")
          .contains("jvm_memory_used_bytes", "jvm_threads_live_threads", "process_cpu_usage")
          .contains("process_uptime_seconds", "process_files_open_files");
    }
  }
}
