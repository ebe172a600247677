package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.Commands.Finding;
import io.tidemill.cli.client.Commands.Level;
import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `tidemill doctor`
@Command(
    name = "doctor",
    description = "Look at servers, ports, settings, disk and memory: what is wrong, what to do.",
    footer = "tidemill doctor")
final class DoctorCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private SharedOptions shared = new SharedOptions();

  @Option(names = "--json", description = "Print JSON for scripts.")
  private boolean json;

  DoctorCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var findings = session.launcher().doctor(shared.overrides(), shared.configFile());
    if (json) printJson(findings);
    else print(findings);
    return findings.stream().anyMatch(finding -> finding.level() == Level.FAIL)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  private void print(List<Finding> findings) {
    var width = findings.stream().mapToInt(finding -> finding.subject().length()).max().orElse(1);
    for (var finding : findings) {
      var subject = String.format(Locale.ROOT, "%-" + width + "s", finding.subject());
      session.terminal().line(mark(finding.level()) + "  " + subject + "  " + finding.what());
      if (!finding.advice().isBlank()) {
        session.terminal().line(" ".repeat(width + 8) + "-> " + finding.advice());
      }
    }
  }

  private String mark(Level level) {
    return switch (level) {
      case OK -> session.terminal().green("ok  ");
      case WARN -> session.terminal().yellow("warn");
      case FAIL -> session.terminal().red("FAIL");
    };
  }

  private void printJson(List<Finding> findings) {
    var tree = Json.object();
    var list = tree.putArray("findings");
    for (var finding : findings) {
      list.addObject()
          .put("subject", finding.subject())
          .put("level", finding.level().name().toLowerCase(Locale.ROOT))
          .put("what", finding.what())
          .put("advice", finding.advice());
    }
    session.terminal().json(tree);
  }
}
