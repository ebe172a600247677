package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.Commands.Finding;
import io.tidemill.cli.client.Commands.Level;
import io.tidemill.cli.client.LocalCommand;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.json.Json;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `tidemill doctor`
@Command(
    name = "doctor",
    description = "Look at servers, ports, settings, disk and memory: what is wrong, what to do.",
    footer = "tidemill doctor")
final class DoctorCommand extends LocalCommand {
  @Option(names = "--json", description = "Print JSON for scripts.")
  private boolean json;

  DoctorCommand(CommandSession session) {
    super(session);
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
      terminal().line(mark(finding.level()) + "  " + subject + "  " + finding.what());
      if (!finding.advice().isBlank()) {
        terminal().line(" ".repeat(width + 8) + "-> " + finding.advice());
      }
    }
  }

  private String mark(Level level) {
    return switch (level) {
      case OK -> terminal().green("ok  ");
      case WARN -> terminal().yellow("warn");
      case FAIL -> terminal().red("FAIL");
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
    terminal().json(tree);
  }
}
