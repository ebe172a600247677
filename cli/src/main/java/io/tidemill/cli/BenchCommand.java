package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.Commands;
import io.tidemill.cli.client.LocalCommand;
import io.tidemill.cli.terminal.CommandFailure;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill bench`
@Command(
    name = "bench",
    description = "Measure this machine: ours against the raw limit, in one run.",
    footer = "tidemill bench jobs --quick")
final class BenchCommand extends LocalCommand {
  private static final List<String> BUILT =
      List.of("jobs", "crawl", "index", "search", "pages", "events", "embed");

  @Parameters(
      arity = "0..1",
      paramLabel = "WHAT",
      defaultValue = "jobs",
      description = "What to measure: jobs, crawl, index, search, pages, events, embed.")
  private String what = "jobs";

  @Option(names = "--quick", description = "Seconds instead of minutes, and rougher.")
  private boolean quick;

  @Option(names = "--json", description = "Print JSON for scripts.")
  private boolean json;

  BenchCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (!BUILT.contains(what)) {
      throw CommandFailure.usage(
          "the benchmark '%s' does not exist: expected one of %s"
              .formatted(what, String.join(", ", BUILT)));
    }
    return session
        .launcher()
        .bench(
            new Commands.BenchRequest(what, quick, json, shared.overrides(), shared.configFile()));
  }
}
