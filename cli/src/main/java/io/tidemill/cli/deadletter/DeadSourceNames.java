package io.tidemill.cli.deadletter;

import io.tidemill.cli.client.OptionValue;
import io.tidemill.cli.terminal.Terminal;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Where dead letters lie, as `--source` names it.
final class DeadSourceNames implements Iterable<String> {
  static final String JOBS = "jobs";
  static final String ALL = "all";

  static final List<String> NAMES =
      List.of(
          JOBS,
          "workflows",
          "tasks",
          "crawl-requests",
          "crawl-responses",
          "crawler_queue",
          "analytics.data.collected",
          "pages",
          ALL);

  @Override
  public Iterator<String> iterator() {
    return NAMES.iterator();
  }

  static void check(@Nullable String source) {
    OptionValue.oneOf("--source", source, NAMES);
  }

  /// Tells of sources that did not answer, if there are any.
  static void silent(Terminal terminal, JsonNode answer) {
    var down =
        answer.path("down").valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
    if (!down.isEmpty()) terminal.note("no answer from " + Terminal.oneLine(down));
  }

  /// Tells of the dead that were not asked for, if there are any.
  static void hint(Terminal terminal, JsonNode answer) {
    var others =
        answer.path("others").properties().stream()
            .map(other -> other.getValue().asString("") + " in " + other.getKey())
            .collect(Collectors.joining(", "));
    if (!others.isEmpty())
      terminal.note("also dead: " + Terminal.oneLine(others) + "; see --source");
  }
}
