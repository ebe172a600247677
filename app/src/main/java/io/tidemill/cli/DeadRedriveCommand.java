package io.tidemill.cli;

import io.tidemill.contract.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill dead redrive ID...`
@Command(
    name = "redrive",
    description = "Send dead entries on their way again.",
    footer = "tidemill dead redrive --all --source tasks")
final class DeadRedriveCommand implements Callable<Integer> {
  private static final int PAGE = 1_000;

  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(arity = "0..*", paramLabel = "ID", description = "The entries, from dead list.")
  private List<String> ids = List.of();

  @Option(names = "--all", description = "All that are dead now.")
  private boolean all;

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description = DeadListCommand.SOURCES,
      completionCandidates = DeadSources.class)
  private @Nullable String source;

  @Option(names = "--again", description = "Even those that were redriven before.")
  private boolean again;

  private int redriven;
  private int failed;
  private JsonNode others = Json.object();

  DeadRedriveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (all == !ids.isEmpty()) throw CommandFailure.usage("redrive needs either ids or --all");
    DeadSources.check(source);
    var gateway = client.gateway(session);
    if (all && source != null && !source.equals(DeadSources.JOBS)) redriveListed(gateway);
    else if (all) redriveAll(gateway);
    else ids.forEach(id -> redrive(gateway, id));
    if (client.isJson()) {
      session.terminal().json(Json.object().put("redriven", redriven).put("failed", failed));
    } else if (all) {
      session.terminal().line(redriven + " redriven, " + failed + " could not be");
      if (source == null) DeadSources.hint(session.terminal(), others);
    }
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  // Page by page, and never more than were dead at the start: what dies again meanwhile stays.
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

  // The oldest first, in the order in which they died: in a queue those are found at once. A list
  // is read to its end before the first of it is redriven, for some stay in it. When it was shorter
  // than it should be there are others behind it, which show when the first ones are gone.
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
      var path = new RequestPath("/api/dead").with("source", source).with("limit", PAGE);
      var page = gateway.get(path.with("before", before).toString());
      page.path("dead").forEach(dead::add);
      if (!page.has("next")) return new Listed(dead, page.path("total").asLong(dead.size()));
      before = page.path("next").asString("");
    }
  }

  private void redrive(GatewayClient gateway, String id) {
    var path = "/api/dead/" + GatewayClient.segment(id) + "/redrive" + (again ? "?again=true" : "");
    var answer = gateway.askPost(path, Json.object(), Map.of());
    if (answer.isOk()) {
      redriven++;
      if (!client.isJson()) {
        session.terminal().line(Terminal.clean(id + " -> " + where(answer.body())));
      }
      return;
    }
    if (answer.status() == 401 || answer.status() >= 500) throw GatewayClient.refused(answer);
    failed++;
    session.terminal().error(id + ": " + why(answer));
  }

  // The gateway speaks of its own parameter.
  private static String why(GatewayClient.Answer answer) {
    var redrivenAt = answer.body().path("redriven_at");
    if (!redrivenAt.isNumber()) return String.valueOf(GatewayClient.refused(answer).getMessage());
    var at = Instant.ofEpochMilli(redrivenAt.asLong());
    return "it was redriven at " + at + "; --again does it once more";
  }

  private static String where(JsonNode answer) {
    if (answer.has("job_id")) return "job " + answer.path("job_id").asString("");
    if (answer.has("taskId")) return "task " + answer.path("taskId").asString("");
    if (answer.has("queue")) return "queue " + answer.path("queue").asString("");
    return "%s-%s@%s"
        .formatted(
            answer.path("topic").asString(""),
            answer.path("partition").asString(""),
            answer.path("offset").asString(""));
  }
}
