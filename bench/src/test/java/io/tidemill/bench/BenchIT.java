package io.tidemill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.bench.BenchReport.Line;
import io.tidemill.json.Json;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/// Every benchmark at a size that says nothing about speed, and all about whether it runs.
class BenchIT {
  @Test
  void measuresJobs() throws Exception {
    var figures = new JobsBench(200, 1, 20, Map.of()).run();

    assertThat(figures).extracting(JobsBench.Figures::durable).containsExactly(true, false);
    assertThat(figures)
        .allSatisfy(each -> {
          assertThat(each.post()).isPositive();
          assertThat(each.drain()).isPositive();
          assertThat(each.endToEnd()).isPositive();
          assertThat(each.startP99Millis()).isGreaterThanOrEqualTo(each.startP50Millis());
        });
  }

  @Test
  void measuresACrawl() throws Exception {
    var report = new CrawlBench(100, 1, Map.of()).run();

    assertThat(names(report))
        .contains("pages/s", "pages/s, batches kept", "CPU us/page", "Redis CPU us/page");
    assertComplete(report);
  }

  @Test
  void measuresIndexing() throws Exception {
    var report = new IndexBench(150, 1, Map.of()).run();

    assertThat(names(report)).contains("pages/s", "CPU us/page", "memory MB");
    assertComplete(report);
  }

  @Test
  void measuresSearch() throws Exception {
    var report = new SearchBench(300, 40, 1, Map.of()).run();

    assertThat(names(report)).contains("p50 ms", "p99 ms", "p99 ms through HTTP");
    assertComplete(report);
  }

  @Test
  void measuresPagesThroughTheBroker() throws Exception {
    var report = new PagesBench(300, 1, Map.of()).run();

    assertThat(names(report)).contains("confirmed pages/s", "acknowledged pages/s");
    assertComplete(report);
  }

  @Test
  void measuresWorkflowsAndTasks() throws Exception {
    var report = new EventsBench(50, 1, Map.of()).run();

    assertThat(names(report)).contains("workflows/s", "tasks/s", "workflows/s beside poison");
    assertComplete(report);
  }

  @Test
  void theSiteHasTheSizeAndTheLinksOfARealOne() throws Exception {
    try (var site = new BenchSite(2_000)) {
      var page = site.page(17);
      var parsed = Jsoup.parse(new String(page, java.nio.charset.StandardCharsets.UTF_8));

      assertThat(page.length).isBetween(15_000, 25_000);
      assertThat(parsed.select("a[href]").size()).isBetween(25, 40);
      assertThat(site.page(18)).isNotEqualTo(page);
    }
  }

  @Test
  void aReportKeepsTheMedianOfEachLine() {
    var rounds = List.of(line(1, 10), line(9, 30), line(4, 20));

    assertThat(BenchReport.medians(rounds)).containsExactly(new Line("x", 4, 20, "limit"));
    assertThat(new Line("x", 4, 20, "limit").ratio()).isEqualTo(0.2);
  }

  private static List<Line> line(double ours, double limit) {
    return List.of(new Line("x", ours, limit, "limit"));
  }

  private static List<String> names(BenchReport report) {
    return report.lines().stream().map(Line::name).toList();
  }

  private static void assertComplete(BenchReport report) {
    assertThat(report.lines()).allSatisfy(line -> assertThat(line.ours()).isPositive());
    var figures = Json.parse(report.json()).path(report.name()).path("figures");
    assertThat(figures.size()).isEqualTo(report.lines().size());
    assertThat(report.text()).contains(report.name(), "load average");
  }
}
