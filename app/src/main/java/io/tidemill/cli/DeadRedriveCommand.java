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
import tools.jackson.databind.node.ObjectNode;

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

  @Option(names = "--cause", paramLabel = "CAUSE", description = "Those of one of dead causes.")
  private @Nullable String cause;

  @Option(
      names = "--query",
      paramLabel = "TEXT",
      description = "Those that say this in id, key, origin, reason or message.")
  private @Nullable String query;

  @Option(names = "--dry-run", description = "Only say what would be redriven.")
  private boolean dryRun;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "At most so many in a second: the gateway does it, 50 by default.")
  private @Nullable Integer rate;

  @Option(names = "--follow", description = "Let the gateway do it, and watch it to its end.")
  private boolean follow;

  private int redriven;
  private int failed;
  private JsonNode others = Json.object();

  DeadRedriveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var isFiltered = cause != null || query != null;
    if ((all || isFiltered) == !ids.isEmpty()) {
      throw CommandFailure.usage("redrive needs either ids or --all, --cause or --query");
    }
    DeadSources.check(source);
    OptionValue.between("--rate", rate, 1, 1_000);
    var gateway = client.gateway(session);
    if (isFiltered || dryRun || rate != null || follow || DeadSources.ALL.equals(source)) {
      if (again) throw CommandFailure.usage("--again is for single entries or --all alone");
      return redriveMany(gateway);
    }
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

  // Done by the gateway, whatever becomes of us.
  private int redriveMany(GatewayClient gateway) {
    var answer = gateway.post("/api/dead/redrives", wish(), Map.of());
    if (dryRun) return show(answer);
    var id = answer.path("id").asString("");
    if (follow) return new RedriveFollow(gateway, session.terminal(), client.isJson()).follow(id);
    if (client.isJson()) session.terminal().json(answer);
    else {
      session.terminal().line(Terminal.clean(id));
      session
          .terminal()
          .note(
              answer.path("count").asLong(0) + " are redriven; watch: tidemill dead follow " + id);
    }
    return ExitCode.OK;
  }

  private ObjectNode wish() {
    var wish = Json.object().put("dryRun", dryRun);
    wish.put(
        "source", source == null ? ids.isEmpty() ? DeadSources.JOBS : DeadSources.ALL : source);
    if (cause != null) wish.put("cause", cause);
    if (query != null) wish.put("q", query);
    if (rate != null) wish.put("ratePerSecond", rate);
    if (!ids.isEmpty()) ids.forEach(wish.putArray("ids")::add);
    return wish;
  }

  private int show(JsonNode answer) {
    if (client.isJson()) {
      session.terminal().json(answer);
      return ExitCode.OK;
    }
    for (var id : answer.path("ids")) session.terminal().line(Terminal.clean(id.asString("")));
    for (var refused : answer.path("refused")) {
      session
          .terminal()
          .error(refused.path("id").asString("") + ": " + refused.path("why").asString(""));
    }
    session.terminal().note(answer.path("count").asLong(0) + " would be redriven");
    return ExitCode.OK;
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
        session.terminal().line(line(id, answer.body()));
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
