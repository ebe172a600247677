package io.tidemill.cli;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// `tidemill status`
@Command(
    name = "status",
    description = {
      "Show overall health, running processes, what waits and why.",
      "Fails (1) when the gateway is not ready, or work waits that no process can take."
    },
    footer = "tidemill status --watch")
final class StatusCommand extends ClientCommand {
  private static final Duration REFRESH = Duration.ofSeconds(2);

  @Option(
      names = {"-w", "--watch"},
      description = "Show it again every two seconds.")
  private boolean watch;

  StatusCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var gateway = gateway();
    try {
      while (watch) {
        show(gateway);
        Thread.sleep(REFRESH);
      }
    } catch (InterruptedException interrupt) {
      throw CommandFailure.interrupted(interrupt);
    }
    return show(gateway);
  }

  private int show(GatewayClient gateway) {
    // Health first: it answers even when the rest can't.
    var health = gateway.askGet("/health/ready").body();
    var overview = body(gateway.askGet("/api/overview"));
    var status = body(gateway.askGet("/api/status"));
    var ready = health.path("status").asString("").equals("up");
    if (client.isJson()) {
      var tree = Json.object().put("url", gateway.base().toString());
      tree.set("overview", overview);
      tree.set("status", status);
      tree.set("health", health);
      terminal().json(tree);
    } else {
      print(gateway, overview, status, health, ready);
    }
    var isDown = overview.path("verdict").path("level").asString("").equals("down");
    return ready && !isDown ? ExitCode.OK : ExitCode.FAILED;
  }

  // Empty when a server does not answer, or the gateway is of an older version.
  private static JsonNode body(GatewayClient.Answer answer) {
    if (answer.isOk()) return answer.body();
    if (answer.status() == 503 || answer.status() == 404) return Json.object();
    throw GatewayClient.refused(answer);
  }

  private void print(
      GatewayClient gateway, JsonNode overview, JsonNode status, JsonNode health, boolean ready) {
    var terminal = terminal();
    if (watch && terminal.isWatched()) terminal.out().print("\u001b[H\u001b[2J");
    row("gateway", gateway.base() + "  " + mark(ready ? "up" : "down"));
    row("version", status.path("version").asString("unknown"));
    if (overview.has("verdict")) new OverviewPrinter(overview, terminal).print();
    else row("roles", names(status.path("roles")));
    row("jobs", numbers(status.path("jobs")));
    for (var part : List.of("crawls", "queues", "workflows", "tasks")) {
      if (status.has(part)) row(part, numbers(status.path(part)));
    }
    if (status.has("topics")) row("topics", topics(status.path("topics")));
    if (status.has("groups")) row("lag", numbers(status.path("groups")));
    if (status.has("index")) row("index", index(status.path("index")));
    if (status.has("vectors")) row("vectors", vectors(status.path("vectors")));
    var share = status.path("redis").path("memory_share");
    if (share.isNumber()) {
      row("memory", String.format(Locale.ROOT, "redis %.0f %%", share.asDouble() * 100));
    }
    if (!overview.has("verdict")) printChecks(health);
  }

  private void printChecks(JsonNode health) {
    health
        .path("checks")
        .properties()
        .forEach(check ->
            row(
                check.getKey(),
                mark(check.getValue().path("status").asString("unknown"))
                    + "  "
                    + terminal()
                        .dim(Terminal.clean(check.getValue().path("detail").asString("")))));
  }

  private void row(String name, String value) {
    terminal().line(String.format(Locale.ROOT, "%-10s %s", name, value).stripTrailing());
  }

  private String mark(String status) {
    var terminal = terminal();
    return status.equals("up") ? terminal.green("up") : terminal.red(Terminal.clean(status));
  }

  private static String names(JsonNode roles) {
    var names = new ArrayList<String>();
    roles.forEach(role -> names.add(role.asString("")));
    return names.isEmpty() ? "unknown" : Terminal.clean(String.join(", ", names));
  }

  private String index(JsonNode index) {
    var problem = index.path("problem").asString("");
    if (!problem.isEmpty()) return terminal().red(Terminal.oneLine(problem));
    return "documents %s   %s"
        .formatted(
            Amounts.count(index.path("documents").asLong(0)),
            Amounts.bytes(index.path("bytes").asLong(0)));
  }

  private static String vectors(JsonNode vectors) {
    var behind = vectors.path("behind").asLong(0);
    return "passages %s   %s"
        .formatted(
            Amounts.count(vectors.path("passages").asLong(0)),
            behind == 0 ? "up to date" : Amounts.count(behind, "page") + " behind");
  }

  // Empty topics are left out: most topics of dead letters are.
  private static String topics(JsonNode topics) {
    var texts = new ArrayList<String>();
    topics.properties().stream()
        .filter(topic -> topic.getValue().path("messages").asLong(0) > 0)
        .forEach(topic ->
            texts.add(
                "%s %s (%s)"
                    .formatted(
                        topic.getKey(),
                        Amounts.count(topic.getValue().path("messages").asLong(0)),
                        Amounts.bytes(topic.getValue().path("bytes").asLong(0)))));
    return texts.isEmpty() ? "empty" : Terminal.clean(String.join("   ", texts));
  }

  private static String numbers(JsonNode jobs) {
    var numbers = new ArrayList<String>();
    jobs.properties()
        .forEach(number -> numbers.add(number.getKey() + " " + number.getValue().asString("")));
    return numbers.isEmpty() ? "unknown" : Terminal.clean(String.join("   ", numbers));
  }
}
