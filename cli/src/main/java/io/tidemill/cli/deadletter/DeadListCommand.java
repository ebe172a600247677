package io.tidemill.cli.deadletter;

import static io.tidemill.cli.client.ListOptions.text;
import static io.tidemill.cli.client.ListOptions.time;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.ListOptions;
import io.tidemill.cli.client.ListOptions.Listed;
import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill dead list`
@Command(
    name = "list",
    description = "List dead entries, the newest first.",
    footer = "tidemill dead list --source workflows --limit 10")
public final class DeadListCommand implements Callable<Integer> {
  static final String SOURCES =
      "Of what: jobs (default), workflows, tasks, crawl-requests, crawl-responses,"
          + " crawler_queue, analytics.data.collected, pages, or all.";

  private static final List<String> STATES = List.of("waiting", "redriven", "discarded");

  private final CommandSession session;

  @Mixin private ListOptions list = new ListOptions();

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description = SOURCES,
      completionCandidates = DeadSourceNames.class)
  private @Nullable String source;

  @Option(
      names = "--query",
      paramLabel = "TEXT",
      description = "Only those that say this in id, key, origin, reason or message.")
  private @Nullable String query;

  @Option(
      names = "--cause",
      paramLabel = "CAUSE",
      description = "Only those of one of dead causes.")
  private @Nullable String cause;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those that are waiting, redriven or discarded.")
  private @Nullable String state;

  public DeadListCommand(CommandSession session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    DeadSourceNames.check(source);
    OptionValue.oneOf("--state", state, STATES);
    // A cause belongs to one source, whichever that is.
    var where = source == null && cause != null ? DeadSourceNames.ALL : source;
    var path = new RequestPath("/api/dead").with("source", where);
    path.with("q", query).with("cause", cause).with("state", state);
    var listed =
        new Listed(
            "dead", 1_000, false, "%-20s %s  %-16s %s  %s", DeadListCommand::cells, this::none);
    var answer = list.show(session, path, listed);
    answer.ifPresent(seen -> DeadSourceNames.hint(session.terminal(), seen));
    answer.ifPresent(seen -> DeadSourceNames.silent(session.terminal(), seen));
    return ExitCode.OK;
  }

  private String none(JsonNode answer) {
    if (DeadSourceNames.ALL.equals(source) || query != null || cause != null || state != null) {
      return "nothing is dead";
    }
    if (source != null) return "no dead " + source;
    var others = answer.path("others");
    return others.isObject() && others.isEmpty() ? "nothing is dead" : "no dead jobs";
  }

  private static List<String> cells(JsonNode dead) {
    return List.of(
        text(dead, "id"),
        time(dead, "ts"),
        text(dead, "reason"),
        text(dead, "message"),
        mark(dead));
  }

  private static String mark(JsonNode dead) {
    if (dead.has("discarded_at")) return "(discarded)";
    return dead.has("redriven_at") ? "(redriven)" : "";
  }
}
