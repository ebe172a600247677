package io.tidemill.cli;

import io.tidemill.cli.client.ClientCommand;
import io.tidemill.cli.client.CommandSession;
import io.tidemill.cli.client.GatewayClient;
import io.tidemill.cli.client.RequestPath;
import io.tidemill.cli.terminal.Amounts;
import io.tidemill.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// `tidemill analytics [PROJECT]`
@Command(
    name = "analytics",
    description = "Show what was collected for a project and what it says; without one, list all.",
    footer = "tidemill analytics proj_xyz --limit 5")
final class AnalyticsCommand extends ClientCommand {
  private static final String PROJECTS = "/api/analytics/projects";

  @Parameters(paramLabel = "PROJECT", arity = "0..1", description = "The project's name.")
  private String project = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "At most so many keywords and items, or projects; 10 by default.")
  private int limit;

  AnalyticsCommand(CommandSession session) {
    super(session);
  }

  @Override
  public Integer call() {
    var path =
        project.isEmpty()
            ? new RequestPath(PROJECTS).with("limit", limit)
            : new RequestPath(PROJECTS + "/" + GatewayClient.segment(project))
                .with("keywords", limit)
                .with("items", limit);
    var answer = gateway().get(path.toString());
    return print(
        answer,
        () -> {
          if (project.isEmpty()) list(answer);
          else show(answer);
        });
  }

  private void list(JsonNode answer) {
    for (var each : answer.path("projects")) {
      line(
          String.format(
              Locale.ROOT, "%-40s  %s", text(each, "project"), totals(each.path("totals"))));
    }
    if (answer.path("projects").isEmpty()) line("nothing was collected yet");
    if (answer.has("next")) terminal().note("there are more; see them with --limit");
  }

  private static String totals(JsonNode totals) {
    var batches = totals.path("batches").asLong();
    return "%s in %d %s, %d failed"
        .formatted(
            Amounts.count(totals.path("items").asLong(), "item"),
            batches,
            batches == 1 ? "batch" : "batches",
            totals.path("failed").asLong());
  }

  private void show(JsonNode found) {
    line(String.format(Locale.ROOT, "%s", totals(found.path("totals"))));
    line(
        String.format(
            Locale.ROOT,
            "%d near-duplicates, latest %s",
            found.path("duplicates").asLong(),
            text(found, "latest")));
    for (var each : found.path("platforms"))
      line(String.format(Locale.ROOT, "  %-12s %s", text(each, "platform"), feel(each)));
    for (var each : found.path("languages")) {
      var language = text(each, "language");
      line(
          String.format(
              Locale.ROOT,
              "  %-12s %s",
              language.isEmpty() ? "no language" : language,
              feel(each)));
    }
    var words = new ArrayList<String>();
    for (var each : found.path("keywords")) {
      words.add(text(each, "keyword") + " (" + each.path("items").asLong() + ")");
    }
    if (!words.isEmpty())
      line(String.format(Locale.ROOT, "keywords: %s", String.join(", ", words)));
    items(found.path("items"));
    failures(found.path("failures"));
  }

  private static String feel(JsonNode each) {
    var mean = each.path("sentiment");
    var items = each.path("items").asLong() + " items";
    return mean.isNumber()
        ? String.format(Locale.ROOT, "%s, sentiment %+.2f", items, mean.asDouble())
        : items;
  }

  private void items(JsonNode items) {
    if (!items.isEmpty()) line("what moved most:");
    for (var each : items) {
      var says = text(each, "title").isEmpty() ? text(each, "text") : text(each, "title");
      line(
          String.format(
              Locale.ROOT, "  %5.1f  %s", each.path("impact").asDouble(), text(each, "url")));
      line(String.format(Locale.ROOT, "         %s", shortened(says)));
    }
  }

  private void failures(JsonNode failures) {
    var reasons = new ArrayList<String>();
    for (var each : failures) reasons.add(text(each, "code") + " " + each.path("items").asLong());
    if (!reasons.isEmpty())
      line(String.format(Locale.ROOT, "failed: %s", String.join(", ", reasons)));
  }

  private static String shortened(String text) {
    var line = text.replaceAll("\\s+", " ");
    return line.codePointCount(0, line.length()) <= 80
        ? line
        : line.substring(0, line.offsetByCodePoints(0, 79)) + "…";
  }

  private static String text(JsonNode tree, String field) {
    return Terminal.oneLine(tree.path(field).asString(""));
  }

  private void line(String text) {
    terminal().line(Terminal.clean(text).stripTrailing());
  }
}
