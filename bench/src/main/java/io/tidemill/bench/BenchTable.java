package io.tidemill.bench;

import io.tidemill.json.Json;
import java.util.List;

/// Figures for people and for programs.
public final class BenchTable {
  private BenchTable() {}

  /// A table with the ratios.
  public static String text(List<JobsBench.Figures> all) {
    var text = new StringBuilder();
    for (var figures : all) {
      text.append(
          """

          jobs, Redis %s
                                      ours       limit     ratio
            accepted POST/s     %10.0f  %10.0f    %5.0f %%   the same script straight into Redis
            drained jobs/s      %10.0f  %10.0f    %5.0f %%   start and finish scripts straight
            end-to-end jobs/s   %10.0f
            queue to start      p50 %.2f ms, p99 %.2f ms
          """
              .formatted(
                  figures.durable()
                      ? "with every write on disk (appendfsync always)"
                      : "without a log on disk",
                  figures.post(),
                  figures.rawSubmit(),
                  100 * figures.post() / figures.rawSubmit(),
                  figures.drain(),
                  figures.rawDrain(),
                  100 * figures.drain() / figures.rawDrain(),
                  figures.endToEnd(),
                  figures.startP50Millis(),
                  figures.startP99Millis()));
    }
    return text.toString();
  }

  /// The same as JSON.
  public static String json(List<JobsBench.Figures> all) {
    var tree = Json.object();
    var jobs = tree.putArray("jobs");
    for (var figures : all) {
      jobs.addObject()
          .put("durable", figures.durable())
          .put("raw_submit_per_s", figures.rawSubmit())
          .put("post_per_s", figures.post())
          .put("post_ratio", figures.post() / figures.rawSubmit())
          .put("raw_drain_per_s", figures.rawDrain())
          .put("drain_per_s", figures.drain())
          .put("drain_ratio", figures.drain() / figures.rawDrain())
          .put("end_to_end_per_s", figures.endToEnd())
          .put("queue_to_start_p50_ms", figures.startP50Millis())
          .put("queue_to_start_p99_ms", figures.startP99Millis());
    }
    return Json.text(tree) + "\n";
  }
}
