package io.tidemill.cli.client;

import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ShellText;
import io.tidemill.cli.terminal.Terminal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// The options of every command that lists something, and how a page of it is shown: a line for
/// each, or the gateway's JSON.
public final class ListOptions {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:-]+");

  @Mixin private ClientOptions client = new ClientOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many, 50 by default.")
  private int limit;

  @Option(
      names = "--before",
      paramLabel = "NEXT",
      description = "Those behind another page, as its last line says.")
  private @Nullable String before;

  /// What is listed.
  ///
  /// @param rows the field of the answer that has them
  /// @param most rows that the gateway gives at once
  /// @param isCounted whether it goes on by number (`offset`) or by place (`before`, `next`)
  /// @param format of a line, for the cells
  /// @param none what is said when there are no rows
  public record Listed(
      String rows,
      int most,
      boolean isCounted,
      String format,
      Function<JsonNode, List<String>> cells,
      Function<JsonNode, String> none) {}

  /// Fetches a page and shows it.
  ///
  /// @return the gateway's answer; empty when it was shown as JSON
  public Optional<JsonNode> show(CommandSession session, RequestPath path, Listed listed) {
    OptionValue.between("--limit", limit, 1, listed.most());
    if (before != null && listed.isCounted() && !before.matches("\\d{1,9}")) {
      throw CommandFailure.usage("--before is '%s': expected a whole number".formatted(before));
    }
    path.with("limit", limit).with(listed.isCounted() ? "offset" : "before", before);
    var answer = client.gateway(session).get(path.toString());
    if (client.isJson()) {
      session.terminal().json(answer);
      return Optional.empty();
    }
    print(session.terminal(), answer, listed);
    return Optional.of(answer);
  }

  private void print(Terminal terminal, JsonNode answer, Listed listed) {
    var rows = answer.path(listed.rows());
    for (var row : rows) terminal.line(line(listed, row));
    var next = next(answer, rows.size(), listed.isCounted());
    if (rows.isEmpty() && next.isEmpty()) {
      terminal.line(Terminal.oneLine(listed.none().apply(answer)));
    }
    var others = before == null ? answer.path("total").asLong(0) - rows.size() : 0;
    if (next.isEmpty() && others <= 0) return;
    var how = next.isEmpty() ? "--limit" : "--before " + next;
    terminal.note(others > 0 ? others + " more; see them with " + how : "more with " + how);
  }

  private static String line(Listed listed, JsonNode row) {
    var cells = listed.cells().apply(row).stream().map(Terminal::oneLine).toArray();
    return String.format(Locale.ROOT, listed.format(), cells).stripTrailing();
  }

  // As a shell is to read it; empty at the end.
  private static String next(JsonNode answer, int shown, boolean isCounted) {
    if (isCounted) {
      var end = answer.path("offset").asLong(0) + shown;
      return shown > 0 && end < answer.path("total").asLong(0) ? String.valueOf(end) : "";
    }
    var next = Terminal.clean(answer.path("next").asString(""));
    return next.isEmpty() || PLAIN.matcher(next).matches() ? next : ShellText.quoted(next);
  }

  /// A field as text; empty when there is none.
  public static String text(JsonNode row, String field) {
    return row.path(field).asString("");
  }

  /// A time in milliseconds as people read it.
  public static String time(JsonNode row, String field) {
    return Instant.ofEpochMilli(row.path(field).asLong(0))
        .truncatedTo(ChronoUnit.SECONDS)
        .toString();
  }
}
