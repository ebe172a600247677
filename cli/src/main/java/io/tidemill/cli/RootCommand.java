package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.Version;
import io.tidemill.cli.crawl.CrawlCommands;
import io.tidemill.cli.deadletter.DeadCommands;
import io.tidemill.cli.job.JobCommands;
import io.tidemill.cli.resource.GroupCommand;
import io.tidemill.cli.resource.ListCommand;
import io.tidemill.cli.search.IndexRebuildCommand;
import io.tidemill.cli.search.IndexSnapshotCommand;
import io.tidemill.cli.search.IndexVectorsCommand;
import io.tidemill.cli.search.PagesCommands;
import io.tidemill.cli.search.SearchCommand;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.workflow.ExecutionCommands;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `tidemill` alone: what there is, with an example each.
@Command(name = "tidemill", description = "Crawl, index, search, analyse, and run jobs.")
final class RootCommand implements Callable<Integer> {
  private final CommandSession session;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      description = "Show this help.")
  @SuppressWarnings("unused") // the same as no argument at all
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      description = "Print the version.")
  private boolean version;

  RootCommand(CommandSession session) {
    this.session = session;
  }

  /// The whole command line, ready to parse.
  static CommandLine commandLine(CommandSession session) {
    var index =
        GroupCommand.of(
                "index",
                "Copy the search index, write it anew, or make its vectors.",
                "snapshot ./index-2026.zip")
            .addSubcommand(new IndexSnapshotCommand(session))
            .addSubcommand(new IndexRebuildCommand(session))
            .addSubcommand(new IndexVectorsCommand(session));
    return new CommandLine(new RootCommand(session))
        .addSubcommand(new UpCommand(session))
        .addSubcommand(new RunCommand(session))
        .addSubcommand(new EnvCommand(session))
        .addSubcommand(CrawlCommands.of(session))
        .addSubcommand(new SearchCommand(session))
        .addSubcommand(new FindCommand(session))
        .addSubcommand(new AnalyticsCommand(session))
        .addSubcommand(PagesCommands.of(session))
        .addSubcommand(index)
        .addSubcommand(ExecutionCommands.workflows(session))
        .addSubcommand(ExecutionCommands.tasks(session))
        .addSubcommand(JobCommands.of(session))
        .addSubcommand(new ToolsCommand(session))
        .addSubcommand(new TraceCommand(session))
        .addSubcommand(new StatusCommand(session))
        .addSubcommand(new DoctorCommand(session))
        .addSubcommand(DeadCommands.of(session))
        .addSubcommand(ListCommand.of(session, AuditList.ENTRIES))
        .addSubcommand(new BenchCommand(session))
        .addSubcommand(new CompletionCommand(session))
        .addSubcommand(new VersionCommand(session))
        .addSubcommand(new WarmCommand(session));
  }

  @Override
  public Integer call() {
    session.terminal().out().print(version ? Version.line() + "\n" : overview());
    return ExitCode.OK;
  }

  private String overview() {
    if (spec == null) throw new IllegalStateException("picocli gives a command its spec");
    var text = new StringBuilder("Tidemill: crawl, index, search, analyse, and run jobs.\n\n");
    for (var command : spec.subcommands().values()) {
      var usage = command.getCommandSpec().usageMessage();
      if (usage.hidden()) continue;
      text.append(row(command.getCommandName(), usage.description()[0]));
      text.append(row("", session.terminal().dim("$ " + usage.footer()[0])));
    }
    // The launcher script does this one itself.
    text.append(row("test", "Set up what the tests need, then run them all."));
    text.append(row("", session.terminal().dim("$ tidemill test")));
    return text.append("\nEach has --help. Exit codes: 0 worked, 1 failed, 2 usage or settings, ")
        .append("3 gateway not reachable, 130 interrupted.\n")
        .toString();
  }

  private String row(String name, String text) {
    var padded = String.format(Locale.ROOT, "  %-12s", name);
    return (name.isEmpty() ? padded : session.terminal().bold(padded)) + text + "\n";
  }
}
