package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.EventFollower;
import io.tidemill.cli.client.EventPrinter;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.ProgressBar;
import io.tidemill.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Shows how the redrive or discard of many goes on, then what came of it.
final class RedriveFollower implements EventFollower.View {
  private static final int SHOWN = 20;

  private final GatewayClient gateway;
  private final Terminal terminal;
  private final boolean json;
  private final EventPrinter lines;

  RedriveFollower(GatewayClient gateway, Terminal terminal, boolean json) {
    this.gateway = gateway;
    this.terminal = terminal;
    this.json = json;
    lines = new EventPrinter(terminal);
  }

  static String path(String id) {
    return "/api/dead/redrives/" + GatewayClient.segment(id);
  }

  /// Follows to the end.
  ///
  /// @return the exit code: 0 when none failed
  int follow(String id) {
    new EventFollower(terminal, json, this, "done"::equals)
        .follow(gateway, path(id) + "/events", goesOn(id));
    return finish(gateway.get(path(id) + "?limit=1000"));
  }

  static String goesOn(String id) {
    return "%nit goes on; see it again: tidemill dead follow %s%nstop it: tidemill dead cancel %s"
        .formatted(id, id);
  }

  @Override
  public void print(JsonNode run) {
    if (!terminal.isWatched()) return;
    var total = Math.max(1, run.path("total").asLong(1));
    lines.moving(new ProgressBar(terminal).line((double) done(run) / total, facts(run)));
  }

  private static long done(JsonNode run) {
    return went(run) + run.path("failed").asLong(0) + run.path("skipped").asLong(0);
  }

  private static long went(JsonNode run) {
    return run.path("redriven").asLong(0) + run.path("discarded").asLong(0);
  }

  private static List<String> facts(JsonNode run) {
    var facts = new ArrayList<String>();
    facts.add(Amounts.count(done(run)) + " of " + Amounts.count(run.path("total").asLong(0)));
    var waits = run.path("waitsFor").asString("");
    if (!waits.isEmpty()) facts.add(Terminal.oneLine(waits));
    for (var what : List.of("failed", "skipped")) {
      var count = run.path(what).asLong(0);
      if (count > 0) facts.add(Amounts.count(count) + " " + what);
    }
    return facts;
  }

  @Override
  public void end() {
    lines.end();
  }

  private int finish(JsonNode run) {
    var failed = run.path("failed").asLong(0);
    var isDone = run.path("state").asString("").equals("done");
    if (!json) {
      var shown = 0;
      for (var result : run.path("results")) {
        if (!result.path("status").asString("").equals("failed") || ++shown > SHOWN) continue;
        terminal.error(result.path("id").asString("") + ": " + result.path("detail").asString(""));
      }
      terminal.line(
          "%s: %d %s, %d skipped, %d failed of %d"
              .formatted(
                  Terminal.clean(run.path("state").asString("")),
                  went(run),
                  run.path("action").asString("").equals("discard") ? "discarded" : "redriven",
                  run.path("skipped").asLong(0),
                  failed,
                  run.path("total").asLong(0)));
    }
    return isDone && failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }
}
