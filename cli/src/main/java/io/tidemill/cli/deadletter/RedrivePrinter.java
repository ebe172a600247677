package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.EventPrinter;
import io.tidemill.cli.resource.FollowView;
import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.ProgressBar;
import io.tidemill.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Prints the progress of the redrive or discard of many, then the result.
final class RedrivePrinter implements FollowView {
  private static final int SHOWN = 20;

  private final Terminal terminal;
  private final EventPrinter lines;

  RedrivePrinter(Terminal terminal) {
    this.terminal = terminal;
    lines = new EventPrinter(terminal);
  }

  @Override
  public boolean isLast(String type) {
    return type.equals("done");
  }

  // Done is also what has failed in parts.
  @Override
  public Optional<Boolean> success(String lastType) {
    return Optional.empty();
  }

  @Override
  public String outcome(String path) {
    return path + "?limit=1000";
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

  // A script has seen it all in the last event.
  @Override
  public boolean finish(JsonNode run, boolean json) {
    if (!json) print(run.path("results"), run);
    return run.path("state").asString("").equals("done") && run.path("failed").asLong(0) == 0;
  }

  private void print(JsonNode results, JsonNode run) {
    var shown = 0;
    for (var result : results) {
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
                run.path("failed").asLong(0),
                run.path("total").asLong(0)));
  }
}
