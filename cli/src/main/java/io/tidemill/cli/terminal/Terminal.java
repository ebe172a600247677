package io.tidemill.cli.terminal;

import io.tidemill.json.Json;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Input and output of a command; colours and redrawn lines only on a terminal.
public final class Terminal {
  /// Set by the launcher script when standard output is a terminal.
  public static final String WATCHED = "TIDEMILL_LAUNCHER_TERMINAL";

  private final PrintStream out;
  private final PrintStream err;
  private final InputStream in;
  private final boolean watched;
  private final boolean colours;
  private final boolean boxes;
  private final TerminalWidth width;

  public Terminal(Map<String, String> env, PrintStream out, PrintStream err, InputStream in) {
    this.out = out;
    this.err = err;
    this.in = in;
    watched =
        !env.getOrDefault(WATCHED, "").isEmpty() && !"dumb".equals(env.getOrDefault("TERM", ""));
    colours = watched && env.getOrDefault("NO_COLOR", "").isEmpty();
    boxes = isUtf8(env);
    width = new TerminalWidth(env);
  }

  // The first that is set decides, as everywhere on Unix.
  private static boolean isUtf8(Map<String, String> env) {
    return List.of("LC_ALL", "LC_CTYPE", "LANG").stream()
        .map(name -> env.getOrDefault(name, ""))
        .filter(value -> !value.isEmpty())
        .findFirst()
        .map(value -> value.toLowerCase(Locale.ROOT).replace("-", "").contains("utf8"))
        .orElse(false);
  }

  public PrintStream out() {
    return out;
  }

  public InputStream in() {
    return in;
  }

  /// Whether a person looks at the output as it comes.
  public boolean isWatched() {
    return watched;
  }

  public boolean hasColours() {
    return colours;
  }

  /// Whether lines can be drawn with more than ASCII.
  public boolean hasBoxes() {
    return boxes;
  }

  /// Columns of the terminal.
  public int width() {
    return width.columns();
  }

  public void line(String text) {
    out.println(text);
  }

  /// One line on what went wrong.
  public void error(String message) {
    out.flush();
    err.println("tidemill: " + clean(message).lines().findFirst().orElse("failed"));
  }

  /// One line beside the output proper.
  public void note(String message) {
    out.flush();
    err.println(clean(message));
  }

  /// The same values on one line.
  public void json(JsonNode tree) {
    out.println(escaped(Json.text(tree)));
  }

  // JSON may hold these characters as they are; only inside of texts, where an escape means the
  // same.
  private static String escaped(String json) {
    if (json.codePoints().noneMatch(Terminal::isSteering)) return json;
    var escaped = new StringBuilder(json.length() + 16);
    json.codePoints()
        .forEach(c -> {
          if (isSteering(c)) escaped.append(String.format(Locale.ROOT, "\\u%04x", c));
          else escaped.appendCodePoint(c);
        });
    return escaped.toString();
  }

  public void prettyJson(JsonNode tree) {
    out.println(clean(tree.toPrettyString()));
  }

  public String dim(String text) {
    return coloured("2", text);
  }

  public String bold(String text) {
    return coloured("1", text);
  }

  public String red(String text) {
    return coloured("31", text);
  }

  public String green(String text) {
    return coloured("32", text);
  }

  public String yellow(String text) {
    return coloured("33", text);
  }

  private String coloured(String code, String text) {
    return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /// Text from elsewhere without what could steer a terminal.
  public static String clean(String text) {
    var clean = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c == '\n' || c == '\t' || !isSteering(c))
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /// The same as one line.
  public static String oneLine(String text) {
    return clean(text).replaceAll("\\s+", " ").strip();
  }

  // Control characters, and those that turn the direction of whatever stands behind them.
  private static boolean isSteering(int c) {
    return Character.isISOControl(c)
        || (c >= 0x202A && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x2069);
  }
}
