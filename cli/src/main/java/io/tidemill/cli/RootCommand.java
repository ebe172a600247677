package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.Version;
import io.tidemill.cli.crawl.CrawlCancelCommand;
import io.tidemill.cli.crawl.CrawlCommand;
import io.tidemill.cli.crawl.CrawlFollowCommand;
import io.tidemill.cli.crawl.CrawlListCommand;
import io.tidemill.cli.crawl.CrawlPagesCommand;
import io.tidemill.cli.crawl.CrawlShowCommand;
import io.tidemill.cli.deadletter.DeadCancelCommand;
import io.tidemill.cli.deadletter.DeadCausesCommand;
import io.tidemill.cli.deadletter.DeadCommand;
import io.tidemill.cli.deadletter.DeadDiscardCommand;
import io.tidemill.cli.deadletter.DeadEditCommand;
import io.tidemill.cli.deadletter.DeadFollowCommand;
import io.tidemill.cli.deadletter.DeadListCommand;
import io.tidemill.cli.deadletter.DeadRedriveCommand;
import io.tidemill.cli.deadletter.DeadShowCommand;
import io.tidemill.cli.job.JobCancelCommand;
import io.tidemill.cli.job.JobCommand;
import io.tidemill.cli.job.JobFollowCommand;
import io.tidemill.cli.job.JobListCommand;
import io.tidemill.cli.job.JobShowCommand;
import io.tidemill.cli.search.IndexCommand;
import io.tidemill.cli.search.IndexRebuildCommand;
import io.tidemill.cli.search.IndexSnapshotCommand;
import io.tidemill.cli.search.IndexVectorsCommand;
import io.tidemill.cli.search.PagesCommand;
import io.tidemill.cli.search.PagesDeleteCommand;
import io.tidemill.cli.search.PagesShowCommand;
import io.tidemill.cli.search.SearchCommand;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.workflow.ExecutionCancelCommand;
import io.tidemill.cli.workflow.ExecutionFollowCommand;
import io.tidemill.cli.workflow.ExecutionListCommand;
import io.tidemill.cli.workflow.ExecutionShowCommand;
import io.tidemill.cli.workflow.TaskCommand;
import io.tidemill.cli.workflow.TaskRetryCommand;
import io.tidemill.cli.workflow.WorkflowCommand;
import io.tidemill.cli.workflow.WorkflowRetryCommand;
import io.tidemill.contract.workflow.ExecutionKind;
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
    var job =
        new CommandLine(new JobCommand(session))
            .addSubcommand(new JobShowCommand(session))
            .addSubcommand(new JobFollowCommand(session))
            .addSubcommand(new JobListCommand(session))
            .addSubcommand(new JobCancelCommand(session));
    var crawl =
        new CommandLine(new CrawlCommand(session))
            .addSubcommand(new CrawlShowCommand(session))
            .addSubcommand(new CrawlFollowCommand(session))
            .addSubcommand(new CrawlPagesCommand(session))
            .addSubcommand(new CrawlListCommand(session))
            .addSubcommand(new CrawlCancelCommand(session));
    var pages =
        new CommandLine(new PagesCommand())
            .addSubcommand(new PagesShowCommand(session))
            .addSubcommand(new PagesDeleteCommand(session));
    var index =
        new CommandLine(new IndexCommand())
            .addSubcommand(new IndexSnapshotCommand(session))
            .addSubcommand(new IndexRebuildCommand(session))
            .addSubcommand(new IndexVectorsCommand(session));
    var dead =
        new CommandLine(new DeadCommand())
            .addSubcommand(new DeadListCommand(session))
            .addSubcommand(new DeadCausesCommand(session))
            .addSubcommand(new DeadShowCommand(session))
            .addSubcommand(new DeadEditCommand(session))
            .addSubcommand(new DeadRedriveCommand(session))
            .addSubcommand(new DeadDiscardCommand(session))
            .addSubcommand(new DeadFollowCommand(session))
            .addSubcommand(new DeadCancelCommand(session));
    var workflow =
        flow(session, new CommandLine(new WorkflowCommand(session)), ExecutionKind.WORKFLOW)
            .addSubcommand(new WorkflowRetryCommand(session));
    var task =
        flow(session, new CommandLine(new TaskCommand(session)), ExecutionKind.TASK)
            .addSubcommand(new TaskRetryCommand(session));
    return new CommandLine(new RootCommand(session))
        .addSubcommand(new UpCommand(session))
        .addSubcommand(new RunCommand(session))
        .addSubcommand(new EnvCommand(session))
        .addSubcommand(crawl)
        .addSubcommand(new SearchCommand(session))
        .addSubcommand(new FindCommand(session))
        .addSubcommand(new AnalyticsCommand(session))
        .addSubcommand(pages)
        .addSubcommand(index)
        .addSubcommand(workflow)
        .addSubcommand(task)
        .addSubcommand(job)
        .addSubcommand(new ToolsCommand(session))
        .addSubcommand(new TraceCommand(session))
        .addSubcommand(new StatusCommand(session))
        .addSubcommand(new DoctorCommand(session))
        .addSubcommand(dead)
        .addSubcommand(new AuditCommand(session))
        .addSubcommand(new BenchCommand(session))
        .addSubcommand(new CompletionCommand(session))
        .addSubcommand(new VersionCommand(session))
        .addSubcommand(new WarmCommand(session));
  }

  private static CommandLine flow(CommandSession session, CommandLine command, ExecutionKind kind) {
    command
        .addSubcommand(new ExecutionShowCommand(session, kind))
        .addSubcommand(new ExecutionFollowCommand(session, kind))
        .addSubcommand(new ExecutionListCommand(session, kind))
        .addSubcommand(new ExecutionCancelCommand(session, kind));
    // Which command an example is for depends on where it stands.
    command
        .getSubcommands()
        .forEach((name, each) -> {
          var id = name.equals("list") ? "--status failed" : example(kind);
          each.getCommandSpec()
              .usageMessage()
              .footer("tidemill %s %s %s".formatted(kind.wire(), name, id));
        });
    return command;
  }

  private static String example(ExecutionKind kind) {
    return (kind == ExecutionKind.WORKFLOW ? "wf" : "task")
        + "-38e9351d-ab05-428b-a6ec-ddd100678807";
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
