package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.Terminal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill dead causes`
@Command(
    name = "causes",
    description = "Group dead letters by cause, the most frequent first.",
    footer = "tidemill dead causes --source tasks")
final class DeadCausesCommand extends ClientCommand {
  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description = "Of what: one of those of dead list, or all (default).",
      completionCandidates = DeadSourceNames.class)
  private @Nullable String source;

  @Option(
      names = "--query",
      paramLabel = "TEXT",
      description = "Only those that say this in id, key, origin, reason or message.")
  private @Nullable String query;

  DeadCausesCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    DeadSourceNames.check(source);
    var path = new RequestPath("/api/dead/causes").with("source", source).with("q", query);
    var answer = gateway().get(path.toString());
    return print(
        answer,
        () -> {
          var causes = answer.path("causes");
          causes.forEach(this::print);
          if (causes.isEmpty()) terminal().line("nothing is dead");
          DeadSourceNames.silent(terminal(), answer);
        });
  }

  private void print(JsonNode cause) {
    terminal()
        .line(
            Terminal.oneLine(
                String.format(
                    Locale.ROOT,
                    "%s %6d  %s  %s: %s",
                    cause.path("cause").asString(""),
                    cause.path("count").asLong(0),
                    cause.path("source").asString(""),
                    cause.path("reason").asString(""),
                    cause.path("text").asString(""))));
  }
}
