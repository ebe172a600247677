package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill dead redrive ID...`
@Command(
    name = "redrive",
    description = "Send dead letters back to where they came from.",
    footer = "tidemill dead redrive --all --source tasks")
final class DeadRedriveCommand extends ClientCommand {
  private static final int PAGE = 1_000;

  @Parameters(arity = "0..*", paramLabel = "ID", description = "The entries, from dead list.")
  private List<String> ids = List.of();

  @Mixin private DeadSelection many = new DeadSelection();

  @Option(names = "--again", description = "Even those that were redriven or discarded before.")
  private boolean again;

  private int redriven;
  private int failed;
  private JsonNode others = Json.object();

  DeadRedriveCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    many.check("redrive", ids);
    var isByGateway = many.isFiltered() || many.dryRun || many.rate != null || many.follow;
    if (isByGateway || DeadSourceNames.ALL.equals(many.source)) {
      if (again) throw CommandFailure.usage("--again is for single entries or --all alone");
      return many.begin(DeadSelection.Action.REDRIVE, ids, session, client);
    }
    var gateway = gateway();
    if (many.all && many.source != null && !many.source.equals(DeadSourceNames.JOBS)) {
      redriveListed(gateway);
    } else if (many.all) redriveAll(gateway);
    else ids.forEach(id -> redrive(gateway, id));
    if (client.isJson()) {
      terminal().json(Json.object().put("redriven", redriven).put("failed", failed));
    } else if (many.all) {
      terminal().line(redriven + " redriven, " + failed + " could not be");
      if (many.source == null) DeadSourceNames.hint(terminal(), others);
    }
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  // Page by page, and never more than were dead at the start: entries that die again stay.
  private void redriveAll(GatewayClient gateway) {
    Set<String> seen = new HashSet<>();
    var first = gateway.get("/api/dead?limit=" + PAGE);
    others = first;
    var total = first.path("total").asLong(0);
    for (var page = first; ; page = gateway.get("/api/dead?limit=" + PAGE)) {
      var before = seen.size();
      for (var dead : page.path("dead")) {
        var id = dead.path("id").asString("");
        if (seen.size() < total && seen.add(id)) redrive(gateway, id);
      }
      if (seen.size() == before || seen.size() >= total) return;
    }
  }

  // The oldest first, since a queue finds those at once. A list is read to its end before the first
  // entry is redriven, because some entries stay in it. A list shorter than its total is read
  // again:
  // the other entries show up when the first ones have left.
  private void redriveListed(GatewayClient gateway) {
    Set<String> seen = new HashSet<>();
    var first = list(gateway);
    var total = first.total();
    for (var list = first; ; list = list(gateway)) {
      var before = seen.size();
      for (var dead : list.dead().reversed()) {
        var id = dead.path("id").asString("");
        var fresh = seen.size() < total && seen.add(id);
        if (fresh && (again || !dead.has("redriven_at"))) redrive(gateway, id);
      }
      if (seen.size() == before || seen.size() >= total) return;
    }
  }

  private record Listed(List<JsonNode> dead, long total) {}

  private Listed list(GatewayClient gateway) {
    List<JsonNode> dead = new ArrayList<>();
    for (@Nullable String before = null; ; ) {
      var path = new RequestPath("/api/dead").with("source", many.source).with("limit", PAGE);
      var page = gateway.get(path.with("before", before).toString());
      page.path("dead").forEach(dead::add);
      if (!page.has("next")) return new Listed(dead, page.path("total").asLong(dead.size()));
      before = page.path("next").asString("");
    }
  }

  private void redrive(GatewayClient gateway, String id) {
    var path = DeadCommands.ENTRY.path(id) + "/redrive" + (again ? "?again=true" : "");
    var answer = gateway.askPost(path, Json.object());
    if (answer.isOk()) {
      redriven++;
      if (!client.isJson()) {
        terminal().line(line(id, answer.body()));
      }
      return;
    }
    if (answer.status() == 401 || answer.status() >= 500) throw GatewayClient.refused(answer);
    failed++;
    terminal().error(id + ": " + why(answer));
  }

  // The message of the gateway names its own parameter.
  private static String why(GatewayClient.Answer answer) {
    var redrivenAt = answer.body().path("redriven_at");
    var discardedAt = answer.body().path("discarded_at");
    if (redrivenAt.isNumber()) {
      return "it was redriven at %s; --again does it once more"
          .formatted(Instant.ofEpochMilli(redrivenAt.asLong()));
    }
    if (discardedAt.isNumber()) {
      return "it was discarded at %s; --again redrives it all the same"
          .formatted(Instant.ofEpochMilli(discardedAt.asLong()));
    }
    return String.valueOf(GatewayClient.refused(answer).getMessage());
  }

  static String line(String id, JsonNode answer) {
    return Terminal.clean(id + " -> " + where(answer));
  }

  private static String where(JsonNode answer) {
    if (answer.has("job_id")) return "job " + answer.path("job_id").asString("");
    if (answer.has("taskId")) return "task " + answer.path("taskId").asString("");
    if (answer.has("queue")) return "queue " + answer.path("queue").asString("");
    if (!answer.has("topic")) return "crawl " + answer.path("id").asString("");
    return "%s-%s@%s"
        .formatted(
            answer.path("topic").asString(""),
            answer.path("partition").asString(""),
            answer.path("offset").asString(""));
  }
}
