package io.tidemill.cli;

import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.cli.terminal.WrappedText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The overview as a few lines: the verdict, the processes, the backlogs and their causes.
final class OverviewPrinter {
  private static final int INDENT = 11;

  private final Terminal terminal;
  private final JsonNode overview;
  private final long now;

  OverviewPrinter(JsonNode overview, Terminal terminal) {
    this.overview = overview;
    this.terminal = terminal;
    now = overview.path("at").asLong(0);
  }

  void print() {
    printVerdict();
    processes().values().forEach(this::printProcess);
    overview.path("contracts").forEach(this::printWaiting);
    printServers();
  }

  private void printVerdict() {
    var verdict = overview.path("verdict");
    var lines = wrapped(text(verdict, "text"));
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i);
      row(
          i == 0 ? "verdict" : "",
          switch (text(verdict, "level")) {
            case "down" -> terminal.red(line);
            case "warn" -> terminal.yellow(line);
            default -> terminal.green(line);
          });
    }
  }

  // One that has several roles stands under each of them.
  private Map<String, JsonNode> processes() {
    var found = new LinkedHashMap<String, JsonNode>();
    for (var role : overview.path("roles")) {
      for (var process : role.path("processes")) {
        found.putIfAbsent(text(process, "id"), process);
      }
    }
    return found;
  }

  private void printProcess(JsonNode process) {
    var roles = new ArrayList<String>();
    process.path("roles").forEach(role -> roles.add(Terminal.oneLine(role.asString(""))));
    var isGone = process.path("gone").asBoolean(false);
    row(
        "process",
        "%s:%d  %s  %s"
            .formatted(
                text(process, "host"),
                process.path("pid").asLong(0),
                String.join(", ", roles),
                isGone
                    ? terminal.red("silent for " + since(process, "seenAt"))
                    : terminal.dim("for " + since(process, "startedAt"))));
    if (isGone) return;
    process
        .path("checks")
        .properties()
        .forEach(check -> {
          var status = text(check.getValue(), "status");
          if (status.equals("up")) return;
          row(
              "",
              "%s %s  %s"
                  .formatted(
                      Terminal.oneLine(check.getKey()),
                      mark(status),
                      terminal.dim(text(check.getValue(), "detail"))));
        });
  }

  private void printWaiting(JsonNode contract) {
    var why = contract.path("why");
    var depth = contract.path("depth").asLong(0);
    if (why.isEmpty() && depth == 0) return;
    var oldest = contract.path("oldestMs");
    row(
        "waiting",
        "%s  %s%s%s"
            .formatted(
                terminal.bold(text(contract, "channel")),
                contract.path("depth").isNumber() ? Amounts.count(depth) : "unknown",
                contract.path("pages").asLong(0) > 0
                    ? ", " + Amounts.count(contract.path("pages").asLong(), "page") + " to fetch"
                    : "",
                oldest.isNumber()
                    ? ", the oldest for " + Amounts.seconds(Duration.ofMillis(oldest.asLong()))
                    : ""));
    for (var reason : why) wrapped(text(reason, "text")).forEach(line -> row("", line));
  }

  private void printServers() {
    var all = new ArrayList<String>();
    for (var server : overview.path("servers")) {
      all.add(text(server, "name") + " " + mark(text(server, "status")));
    }
    row("servers", String.join("   ", all));
    for (var server : overview.path("servers")) {
      if (text(server, "status").equals("down")) {
        row("", text(server, "name") + ": " + text(server, "detail"));
      }
    }
  }

  private String mark(String status) {
    return switch (status) {
      case "up" -> terminal.green(status);
      case "down" -> terminal.red(status);
      default -> terminal.dim(status);
    };
  }

  private String since(JsonNode process, String field) {
    return Amounts.seconds(Duration.ofMillis(Math.max(0, now - process.path(field).asLong(now))));
  }

  private List<String> wrapped(String text) {
    return WrappedText.lines(text, terminal, INDENT);
  }

  private static String text(JsonNode tree, String field) {
    return Terminal.oneLine(tree.path(field).asString(""));
  }

  private void row(String name, String value) {
    terminal.line(String.format(Locale.ROOT, "%-10s %s", name, value).stripTrailing());
  }
}
