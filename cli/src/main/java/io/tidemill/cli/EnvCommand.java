package io.tidemill.cli;

import io.tidemill.cli.client.ClientSettings;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.InstanceAddresses;
import io.tidemill.cli.client.LocalCommand;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.ShellText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `tidemill env`
@Command(
    name = "env",
    description =
        "Print the environment of further processes of the running instance as export lines: addresses, stores and settings, passwords included.",
    footer = "eval \"$(tidemill env)\"")
final class EnvCommand extends LocalCommand {
  @Option(names = "--data", paramLabel = "DIR", description = "The instance's data folder.")
  private @Nullable String data;

  @Option(names = "--json", description = "Print JSON for scripts.")
  private boolean json;

  EnvCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (data != null) shared.overrides().put("data.dir", data);
    var folder = ClientSettings.of(shared, session.env()).data();
    var addresses =
        InstanceAddresses.ofRunning(folder)
            .orElseThrow(() ->
                new CommandFailure(
                    ExitCode.UNREACHABLE,
                    "no instance runs on the data folder '%s': start one with 'tidemill up', or name its folder with --data"
                        .formatted(folder)));
    if (json) terminal().json(addresses.tree());
    else print(addresses);
    return ExitCode.OK;
  }

  // The comment is last: a shell that joins the lines would take the rest for a part of it.
  private void print(InstanceAddresses addresses) {
    addresses
        .environment()
        .forEach(
            (name, value) -> terminal().line("export " + name + "=" + ShellText.quoted(value)));
    if (!addresses.note().isEmpty()) terminal().line("# " + addresses.note());
  }
}
