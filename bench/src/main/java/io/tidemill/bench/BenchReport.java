package io.tidemill.bench;

import io.tidemill.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What a benchmark found: ours beside what the machine can do at all.
///
/// @param load the machine's load average while it ran: above the number of cores, rates say little
///   and only the ratios count
public record BenchReport(String name, String setup, double load, List<Line> lines) {
  public BenchReport {
    lines = List.copyOf(lines);
  }

  /// Measures the same lines in several rounds and reports the medians.
  static BenchReport of(String name, String setup, int rounds, Round round)
      throws IOException, InterruptedException {
    var all = new ArrayList<List<Line>>();
    for (int i = 0; i < rounds; i++) all.add(round.lines());
    return new BenchReport(name, setup, Throughput.load(), medians(all));
  }

  /// One round of a measurement.
  interface Round {
    List<Line> lines() throws IOException, InterruptedException;
  }

  /// One figure.
  ///
  /// @param limit of the same run; 0 when there is none to compare with
  /// @param against what the limit is
  public record Line(String name, double ours, double limit, String against) {
    static Line alone(String name, double ours, String remark) {
      return new Line(name, ours, 0, remark);
    }

    /// Ours as a part of the limit; 0 without one.
    public double ratio() {
      return limit == 0 ? 0 : ours / limit;
    }
  }

  /// A table with the ratios.
  public String text() {
    var text = new StringBuilder();
    var cores = Runtime.getRuntime().availableProcessors();
    text.append("\n%s: %s; %d cores, load average %.1f\n".formatted(name, setup, cores, load));
    text.append("  %-28s %10s  %10s  %8s\n".formatted("", "ours", "limit", "ratio"));
    for (var line : lines) text.append(text(line).stripTrailing()).append('\n');
    return text.toString();
  }

  private static String text(Line line) {
    var limit = line.limit() == 0 ? "" : number(line.limit());
    var ratio = line.limit() == 0 ? "" : "%.0f %%".formatted(100 * line.ratio());
    return "  %-28s %10s  %10s  %8s   %s"
        .formatted(line.name(), number(line.ours()), limit, ratio, line.against());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
  }

  /// The same as JSON.
  public String json() {
    var tree = Json.object();
    var report = tree.putObject(name);
    report.put("setup", setup).put("load_average", load);
    var array = report.putArray("figures");
    for (var line : lines) {
      var figure = array.addObject().put("name", line.name()).put("ours", line.ours());
      if (line.limit() > 0) figure.put("limit", line.limit()).put("ratio", line.ratio());
      figure.put("against", line.against());
    }
    return Json.text(tree) + "\n";
  }

  /// The median of each line over several rounds.
  static List<Line> medians(List<List<Line>> rounds) {
    var medians = new ArrayList<Line>();
    for (int i = 0; i < rounds.getFirst().size(); i++) {
      var at = i;
      var first = rounds.getFirst().get(i);
      var ours = median(rounds.stream().mapToDouble(round -> round.get(at).ours()).toArray());
      var limit = median(rounds.stream().mapToDouble(round -> round.get(at).limit()).toArray());
      medians.add(new Line(first.name(), ours, limit, first.against()));
    }
    return medians;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
