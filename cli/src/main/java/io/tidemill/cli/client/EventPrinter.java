package io.tidemill.cli.client;

import io.tidemill.cli.terminal.Terminal;
import io.tidemill.json.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// Events for people: a line each, tokens as running text, progress as a bar that moves.
public final class EventPrinter implements EventFollower.View {
  private static final int BAR = 24;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

  private enum Place {
    LINE_START,
    IN_TEXT,
    ON_BAR
  }

  private final Terminal terminal;
  private Place place = Place.LINE_START;
  private String take = "";

  public EventPrinter(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void print(JsonNode event) {
    var data = event.path("data");
    switch (event.path("type").asString("")) {
      case "token" -> token(data);
      case "progress" -> progress(event, data);
      case "log" -> line(event, data.path("message").asString(Json.text(data)));
      case "done" -> line(event, ""); // the result follows, and readable
      default -> line(event, data.isEmpty() ? "" : Json.text(data));
    }
  }

  @Override
  public void end() {
    switch (place) {
      case IN_TEXT -> terminal.out().println();
      case ON_BAR -> terminal.out().print("\r\u001b[K");
      case LINE_START -> {}
    }
    place = Place.LINE_START;
    terminal.out().flush();
  }

  /// The event's time, type and step, and behind them the detail.
  public void line(JsonNode event, String detail) {
    end();
    var at = TIME.format(Instant.ofEpochMilli(event.path("ts").asLong(0)));
    var type = Terminal.clean(event.path("type").asString("message"));
    var step = Terminal.clean(event.path("step").asString(""));
    var words = terminal.dim(at) + " " + coloured(type) + (step.isEmpty() ? "" : " " + step);
    var more = Terminal.clean(detail).replace('\n', ' ');
    terminal.line(more.isEmpty() ? words : words + " " + terminal.dim(more));
  }

  private String coloured(String type) {
    return switch (type) {
      case "done", "workflow.completed", "task.completed" -> terminal.green(type);
      case "error", "workflow.failed", "task.dead_letter" -> terminal.red(type);
      case "canceled", "task.failed" -> terminal.yellow(type);
      default -> type;
    };
  }

  private void token(JsonNode data) {
    if (place != Place.IN_TEXT) end();
    beginAnew(data);
    var clean = Terminal.clean(data.path("text").asString(""));
    if (clean.isEmpty()) return;
    terminal.out().print(clean);
    terminal.out().flush();
    place = clean.endsWith("\n") ? Place.LINE_START : Place.IN_TEXT;
  }

  // What another attempt or try says does not go on where the one before it broke off (F33).
  private void beginAnew(JsonNode data) {
    var now =
        "attempt %d, try %d".formatted(data.path("attempt").asInt(1), data.path("try").asInt(1));
    if (!now.equals(take) && !take.isEmpty()) {
      end();
      terminal.line(terminal.dim("… the text begins anew (" + now + ")"));
    }
    take = now;
  }

  private void progress(JsonNode event, JsonNode data) {
    if (terminal.isWatched()) bar(data);
    else line(event, share(data));
  }

  private void bar(JsonNode data) {
    var full = (int) Math.round(fraction(data) * BAR);
    moving("[" + "#".repeat(full) + "-".repeat(BAR - full) + "] " + share(data));
  }

  /// A line that the next one replaces.
  public void moving(String line) {
    if (place == Place.IN_TEXT) end();
    terminal.out().print("\r\u001b[K" + line);
    terminal.out().flush();
    place = Place.ON_BAR;
  }

  private static String share(JsonNode data) {
    var message = Terminal.oneLine(data.path("message").asString(""));
    return "%3d %% %s"
        .formatted(
            Math.round(fraction(data) * 100), message.substring(0, Math.min(40, message.length())))
        .stripTrailing();
  }

  private static double fraction(JsonNode data) {
    return Math.clamp(data.path("fraction").asDouble(0), 0.0, 1.0);
  }
}
