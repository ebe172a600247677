package io.tidemill.cli.resource;

import io.tidemill.cli.terminal.Terminal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// One kind of list that the gateway has.
///
/// @param command the words behind `tidemill`, such as `job list`
/// @param example options of an example
/// @param source where the gateway has it
/// @param format of a line, for the cells
public record Listing(
    String command,
    String description,
    String example,
    Source source,
    List<ListFilter> filters,
    String format,
    Function<JsonNode, List<String>> cells,
    Remarks remarks) {
  /// @param rows the field of the answer that has them
  /// @param most rows that the gateway gives at once
  /// @param isCounted whether it goes on by number (`offset`) or by place (`before`, `next`)
  public record Source(String path, String rows, int most, boolean isCounted) {}

  /// What depends on the filters that were given, by the gateway's names for them.
  @FunctionalInterface
  public interface Remarks {
    /// What is said when there are no rows.
    String none(Map<String, String> given, JsonNode answer);

    /// Adds what follows from the others.
    default void complete(SequencedMap<String, String> given) {}

    /// Says what else the answer has for people.
    default void after(Terminal terminal, JsonNode answer) {}
  }

  String line(JsonNode row) {
    var words = cells.apply(row).stream().map(Terminal::oneLine).toArray();
    return String.format(Locale.ROOT, format, words).stripTrailing();
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
