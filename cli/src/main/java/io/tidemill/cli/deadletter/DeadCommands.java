package io.tidemill.cli.deadletter;

import static io.tidemill.cli.resource.Listing.text;
import static io.tidemill.cli.resource.Listing.time;

import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.resource.CancelCommand;
import io.tidemill.cli.resource.FollowCommand;
import io.tidemill.cli.resource.GroupCommand;
import io.tidemill.cli.resource.ListCommand;
import io.tidemill.cli.resource.ListFilter;
import io.tidemill.cli.resource.Listing;
import io.tidemill.cli.resource.Resource;
import io.tidemill.cli.resource.ShowCommand;
import io.tidemill.cli.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/// `tidemill dead` and the commands below it.
public final class DeadCommands {
  static final String SOURCES =
      "Of what: jobs (default), workflows, tasks, crawl-requests, crawl-responses,"
          + " crawler_queue, analytics.data.collected, pages, or all.";

  private static final String PATH = "/api/dead";

  static final Resource ENTRY =
      new Resource(
          "dead",
          "the entry",
          "ID",
          "The entry's id, from dead list.",
          "workflows:0-12",
          id -> PATH + "/" + GatewayClient.segment(id));

  static final Resource REDRIVE =
      new Resource(
          "dead",
          "it",
          "ID",
          "Its id.",
          "rd-38e9351d-ab05-428b-a6ec-ddd100678807",
          id -> PATH + "/redrives/" + GatewayClient.segment(id));

  private static final Listing ENTRIES =
      new Listing(
          "dead list",
          "List dead letters, the newest first.",
          "--source workflows --limit 10",
          new Listing.Source(PATH, "dead", 1_000, false),
          List.of(
              ListFilter.oneOf("--source", "SOURCE", SOURCES, DeadSourceNames.NAMES).completed(),
              ListFilter.any(
                  "--query",
                  "TEXT",
                  "Only those that say this in id, key, origin, reason or message.",
                  "q"),
              ListFilter.any("--cause", "CAUSE", "Only those of one of dead causes.", "cause"),
              ListFilter.oneOf(
                  "--state",
                  "STATE",
                  "Only those that are waiting, redriven or discarded.",
                  List.of("waiting", "redriven", "discarded"))),
          "%-20s %s  %-16s %s  %s",
          DeadCommands::cells,
          new SourceRemarks());

  private DeadCommands() {}

  public static CommandLine of(CommandSession session) {
    return GroupCommand.of(
            "dead", "List, group, show, edit, redrive and discard dead letters.", "redrive --all")
        .addSubcommand(ListCommand.of(session, ENTRIES))
        .addSubcommand(new DeadCausesCommand(session))
        .addSubcommand(ShowCommand.of(session, ENTRY, "Show one dead letter whole."))
        .addSubcommand(new DeadEditCommand(session))
        .addSubcommand(new DeadRedriveCommand(session))
        .addSubcommand(new DeadDiscardCommand(session))
        .addSubcommand(
            FollowCommand.of(
                session,
                REDRIVE,
                "Watch the redrive or discard of many to its end.",
                RedrivePrinter::new))
        .addSubcommand(
            CancelCommand.of(
                session, REDRIVE, "Stop the redrive or discard of many; what has gone has gone."));
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

  /// The dead lie in several sources, and a list is mostly of one.
  private static final class SourceRemarks implements Listing.Remarks {
    @Override
    public void complete(SequencedMap<String, String> given) {
      // A cause belongs to exactly one source.
      if (given.containsKey("cause") && !given.containsKey("source")) {
        given.putFirst("source", DeadSourceNames.ALL);
      }
    }

    @Override
    public String none(Map<String, String> given, JsonNode answer) {
      var source = given.get("source");
      var isWhole = given.size() == (source == null ? 0 : 1);
      if (DeadSourceNames.ALL.equals(source) || !isWhole) return "nothing is dead";
      if (source != null) return "no dead " + source;
      var others = answer.path("others");
      return others.isObject() && others.isEmpty() ? "nothing is dead" : "no dead jobs";
    }

    @Override
    public void after(Terminal terminal, JsonNode answer) {
      DeadSourceNames.hint(terminal, answer);
      DeadSourceNames.silent(terminal, answer);
    }
  }
}
