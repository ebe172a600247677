package io.tidemill.cli;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.Commands;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.config.SettingsException;
import io.tidemill.json.NearestName;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line: arguments in, exit code out, never a stack trace.
public final class Cli {
  private static final Logger log = LoggerFactory.getLogger(Cli.class);

  private Cli() {}

  /// Runs one command.
  ///
  /// @param launcher what starts the platform, for the commands that do
  /// @param env the whole environment
  /// @return the exit code, see [ExitCode]
  public static int run(
      String[] args,
      Commands.Launcher launcher,
      Map<String, String> env,
      PrintStream out,
      PrintStream err,
      InputStream in) {
    var terminal = new Terminal(env, out, err, in);
    try {
      return commandLine(new CommandSession(launcher, env, terminal)).execute(args);
    } finally {
      out.flush();
      err.flush();
    }
  }

  static CommandLine commandLine(CommandSession session) {
    var terminal = session.terminal();
    var commands = RootCommand.commandLine(session);
    commands.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
    commands.setColorScheme(
        CommandLine.Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF));
    commands.setUsageHelpWidth(100);
    commands.setExpandAtFiles(false); // @file is a payload, not a file of arguments
    commands.setParameterExceptionHandler((wrong, _) -> usage(terminal, wrong));
    commands.setExecutionExceptionHandler((failure, _, _) -> failed(terminal, failure));
    explain(commands);
    return commands;
  }

  private static void explain(CommandLine command) {
    var usage = command.getCommandSpec().usageMessage();
    usage.footerHeading("%nExample:%n  ");
    usage.exitCodeListHeading("%nExit codes:%n");
    usage.exitCodeList(ExitCode.explained());
    command.getSubcommands().values().forEach(Cli::explain);
  }

  private static int usage(Terminal terminal, ParameterException wrong) {
    var command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    terminal.error(sentence(wrong) + "; see " + command + " --help");
    return ExitCode.USAGE;
  }

  private static String sentence(ParameterException wrong) {
    var message = String.valueOf(wrong.getMessage()).lines().findFirst().orElse("wrong usage");
    if (!(wrong instanceof UnmatchedArgumentException unmatched)) return message;
    var typed = unmatched.getUnmatched().getFirst();
    var isCommand = !unmatched.isUnknownOption() && !typed.startsWith("-");
    var root = wrong.getCommandLine().getParent() == null;
    var what = isCommand && root ? "there is no command '" + typed + "'" : message;
    var spec = wrong.getCommandLine().getCommandSpec();
    var names = isCommand ? spec.subcommands().keySet() : spec.optionsMap().keySet();
    return NearestName.of(typed, names, NearestName.tolerance(typed))
        .map(near -> what + ": did you mean " + near + "?")
        .orElse(what);
  }

  private static int failed(Terminal terminal, Exception failure) {
    log.debug("the command ended early", failure);
    return switch (failure) {
      case CommandFailure known -> {
        terminal.error(String.valueOf(known.getMessage()));
        yield known.exitCode();
      }
      case SettingsException settings -> {
        settings.problems().forEach(terminal::error);
        yield ExitCode.USAGE;
      }
      default -> {
        var message = failure.getMessage() == null ? "" : ": " + failure.getMessage();
        terminal.error("unexpected " + failure.getClass().getSimpleName() + message);
        yield ExitCode.FAILED;
      }
    };
  }
}
