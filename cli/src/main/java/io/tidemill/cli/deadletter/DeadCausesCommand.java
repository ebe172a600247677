package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientOptions;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill dead causes`
@Command(
    name = "causes",
    description = "Group dead entries by why they died, the most frequent first.",
    footer = "tidemill dead causes --source tasks")
final class DeadCausesCommand implements Callable<Integer> {
  private final CommandSession session;

  @Mixin private ClientOptions client = new ClientOptions();

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
    this.session = session;
  }

  @Override
  public Integer call() {
    DeadSourceNames.check(source);
    var path = new RequestPath("/api/dead/causes").with("source", source).with("q", query);
    var answer = client.gateway(session).get(path.toString());
    if (client.isJson()) {
      session.terminal().json(answer);
      return ExitCode.OK;
    }
    var causes = answer.path("causes");
    causes.forEach(this::print);
    if (causes.isEmpty()) session.terminal().line("nothing is dead");
    DeadSourceNames.silent(session.terminal(), answer);
    return ExitCode.OK;
  }

  private void print(JsonNode cause) {
    session
        .terminal()
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
