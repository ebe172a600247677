package io.tidemill.cli;

import io.tidemill.contract.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tidemill dead redrive ID...`
@Command(
    name = "redrive",
    description = "Make new jobs of dead entries.",
    footer = "tidemill dead redrive 1700000000000-0")
final class DeadRedriveCommand implements Callable<Integer> {
  private static final int PAGE = 1_000;

  private final Session session;

  @Mixin private ClientOptions client = new ClientOptions();

  @Parameters(arity = "0..*", paramLabel = "ID", description = "The entries, from dead list.")
  private List<String> ids = List.of();

  @Option(names = "--all", description = "All that are dead now.")
  private boolean all;

  private int redriven;
  private int failed;

  DeadRedriveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (all == !ids.isEmpty()) throw CommandFailure.usage("redrive needs either ids or --all");
    var gateway = client.gateway(session);
    if (all) redriveAll(gateway);
    else ids.forEach(id -> redrive(gateway, id));
    if (client.isJson()) {
      session.terminal().json(Json.object().put("redriven", redriven).put("failed", failed));
    } else if (all) {
      session.terminal().line(redriven + " redriven, " + failed + " could not be");
    }
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  // Page by page, and never more than were dead at the start: what dies again meanwhile stays.
  private void redriveAll(GatewayClient gateway) {
    Set<String> seen = new HashSet<>();
    var first = gateway.get("/api/dead?limit=" + PAGE);
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

  private void redrive(GatewayClient gateway, String id) {
    var path = "/api/dead/" + GatewayClient.segment(id) + "/redrive";
    var answer = gateway.askPost(path, Json.object(), Map.of());
    if (answer.isOk()) {
      redriven++;
      if (!client.isJson()) {
        var job = Terminal.clean(answer.body().path("job_id").asString(""));
        session.terminal().line(id + " -> job " + job);
      }
      return;
    }
    if (answer.status() == 401 || answer.status() >= 500) throw GatewayClient.refused(answer);
    failed++;
    session.terminal().error(id + ": " + GatewayClient.refused(answer).getMessage());
  }
}
