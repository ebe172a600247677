package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.LocalCommand;
import io.tidemill.cli.terminal.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `tidemill completion`
@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh.",
    footer = "source <(tidemill completion)")
final class CompletionCommand extends LocalCommand {
  @Spec private @Nullable CommandSpec spec;

  CompletionCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (spec == null) throw new IllegalStateException("picocli gives a command its spec");
    terminal().out().print(AutoComplete.bash("tidemill", spec.root().commandLine()));
    return ExitCode.OK;
  }
}
