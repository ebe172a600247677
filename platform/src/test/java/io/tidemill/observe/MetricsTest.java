package io.tidemill.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.testing.PrometheusLint;
import org.junit.jupiter.api.Test;

class MetricsTest {
  @Test
  void showsTheJvmAndWhatOthersCount() {
    try (var metrics = new Metrics()) {
      metrics.registry().counter("jobs.done").increment();

      assertThat(metrics.scrape())
          .contains("jobs_done_total 1.0")
          .contains("jvm_memory_used_bytes", "jvm_threads_live_threads", "process_cpu_usage")
          .contains("process_uptime_seconds", "process_files_open_files", "system_cpus")
          .contains("process_cpu_seconds_total");
    }
  }

  @Test
  void namesMetricsAsPrometheusWantsThem() {
    try (var metrics = new Metrics()) {
      assertThat(PrometheusLint.problems(metrics.scrape())).isEmpty();
    }
  }

  @Test
  void describesMetersThatAreMadeByNameAlone() {
    try (var metrics = new Metrics()) {
      metrics.registry().counter("gateway.jobs", "answer", "accepted").increment();

      assertThat(metrics.scrape())
          .contains("# HELP gateway_jobs_total Jobs that were submitted, by answer.")
          .contains("gateway_jobs_total{answer=\"accepted\"} 1.0");
    }
  }

  @Test
  void findsWhatPrometheusWouldNotLike() {
    assertThat(
            PrometheusLint.problems(
                """
                # TYPE a_ms gauge
                a_ms 1
                # HELP b_count  text
                # TYPE b_count gauge
                b_count 1
                # HELP c Text.
                # TYPE c counter
                c{someLabel="x"} 1
                c{someLabel="x"} 1
                # HELP d_milliseconds Text.
                # TYPE d_milliseconds gauge
                d_milliseconds 1
                # HELP e_gauge_total Text.
                # TYPE e_gauge_total gauge
                e_gauge_total{quantile="0.5"} 1
                f 1
                """))
        .containsExactlyInAnyOrder(
            "a_ms: no help text",
            "a_ms: the unit ms is abbreviated",
            "b_count: _count and _sum are for histograms and summaries",
            "c: camelCase in the label someLabel",
            "c: camelCase in the label someLabel",
            "c: metric not unique",
            "c: a counter without _total",
            "d_milliseconds: milliseconds is no base unit",
            "e_gauge_total: label quantile of a gauge",
            "e_gauge_total: _total of a gauge",
            "e_gauge_total: its type is in its name",
            "f: no type");
  }
}
