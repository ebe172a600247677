package io.tidemill.cli;

import io.tidemill.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The spans of a trace as lines: each below its parent, with a bar for when and how long.
final class Waterfall {
  private static final int NAME_LEAST = 24;
  private static final int NAME_MOST = 50;
  private static final int ROLE = 10;
  private static final int TIME = 12;
  private static final int BAR_LEAST = 10;
  private static final int DEEPEST = 10;

  private final List<JsonNode> spans = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final Terminal terminal;
  private final long start;
  private final long length;
  private final int nameWidth;
  private final int barWidth;

  Waterfall(JsonNode found, Terminal terminal) {
    this.terminal = terminal;
    var end = 0L;
    var first = Long.MAX_VALUE;
    for (var span : found) {
      spans.add(span);
      ids.add(text(span, "spanId"));
      first = Math.min(first, startOf(span));
      end = Math.max(end, startOf(span) + duration(span));
    }
    spans.sort(Comparator.comparingLong(Waterfall::startOf));
    start = first;
    length = Math.max(1, end - first);
    nameWidth = Math.clamp(terminal.width() * 2L / 5, NAME_LEAST, NAME_MOST);
    barWidth = Math.max(BAR_LEAST, terminal.width() - nameWidth - ROLE - TIME - 3);
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    for (var span : spans) {
      // One whose parent is a stranger's, or lost, stands by itself.
      if (!ids.contains(text(span, "parentId"))) add(span, 0, lines);
    }
    return lines;
  }

  private void add(JsonNode span, int depth, List<String> lines) {
    lines.add(line(span, depth));
    var error = text(span, "error");
    if (!error.isEmpty()) lines.add(terminal.red(indent(depth + 1) + Terminal.oneLine(error)));
    if (depth >= DEEPEST * 2) return;
    var id = text(span, "spanId");
    for (var each : spans) {
      if (text(each, "parentId").equals(id)) add(each, depth + 1, lines);
    }
  }

  private String line(JsonNode span, int depth) {
    var name = fit(indent(depth) + Terminal.oneLine(text(span, "name")), nameWidth);
    var role = fit(Terminal.oneLine(text(span, "role")), ROLE);
    var took = String.format(Locale.ROOT, "%,9.1f ms", duration(span) / 1_000.0);
    return name + " " + terminal.dim(role) + " " + bar(span) + " " + took;
  }

  private String bar(JsonNode span) {
    var from = (int) Math.min(barWidth - 1, (startOf(span) - start) * barWidth / length);
    var wide = Math.clamp(duration(span) * barWidth / length, 1, barWidth - from);
    var drawn = (terminal.hasBoxes() ? "█" : "#").repeat(wide);
    var isFailed = !text(span, "error").isEmpty();
    return " ".repeat(from)
        + (isFailed ? terminal.red(drawn) : terminal.green(drawn))
        + " ".repeat(barWidth - from - wide);
  }

  private static String indent(int depth) {
    return "  ".repeat(Math.min(depth, DEEPEST));
  }

  private static String fit(String text, int width) {
    if (text.length() > width) return text.substring(0, width - 1) + "~";
    return text + " ".repeat(width - text.length());
  }

  private static long startOf(JsonNode span) {
    return span.path("startUs").asLong(0);
  }

  private static long duration(JsonNode span) {
    return span.path("durationUs").asLong(0);
  }

  private static String text(JsonNode span, String field) {
    return span.path(field).asString("");
  }
}
