package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.SharedOptions;
import io.tidemill.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `tidemill completion`
@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh.",
    footer = "source <(tidemill completion)")
final class CompletionCommand implements Callable<Integer> {
  private final CommandSession session;

  @SuppressWarnings("unused") // picocli fills it and acts on --help
  @Mixin
  private SharedOptions shared = new SharedOptions();

  @Spec private @Nullable CommandSpec spec;

  CompletionCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (spec == null) throw new IllegalStateException("picocli gives a command its spec");
    session.terminal().out().print(AutoComplete.bash("tidemill", spec.root().commandLine()));
    return ExitCode.OK;
  }
}
