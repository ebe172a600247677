package io.tidemill.cli;

import io.tidemill.contract.Json;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Where a command reads and writes; colours and moving lines only when somebody watches.
final class Terminal {
  /// Set by the launcher script when standard output is a terminal.
  static final String WATCHED = "TIDEMILL_LAUNCHER_TERMINAL";

  private final PrintStream out;
  private final PrintStream err;
  private final InputStream in;
  private final boolean watched;
  private final boolean colours;

  Terminal(Map<String, String> env, PrintStream out, PrintStream err, InputStream in) {
    this.out = out;
    this.err = err;
    this.in = in;
    watched =
        !env.getOrDefault(WATCHED, "").isEmpty() && !"dumb".equals(env.getOrDefault("TERM", ""));
    colours = watched && env.getOrDefault("NO_COLOR", "").isEmpty();
  }

  PrintStream out() {
    return out;
  }

  InputStream in() {
    return in;
  }

  /// Whether a person looks at the output as it comes.
  boolean isWatched() {
    return watched;
  }

  boolean hasColours() {
    return colours;
  }

  void line(String text) {
    out.println(text);
  }

  /// One line on what went wrong.
  void error(String message) {
    out.flush();
    err.println("tidemill: " + clean(message).lines().findFirst().orElse("failed"));
  }

  /// One line beside the output proper.
  void note(String message) {
    out.flush();
    err.println(clean(message));
  }

  void json(JsonNode tree) {
    out.println(Json.text(tree));
  }

  void prettyJson(JsonNode tree) {
    out.println(clean(tree.toPrettyString()));
  }

  String dim(String text) {
    return coloured("2", text);
  }

  String bold(String text) {
    return coloured("1", text);
  }

  String red(String text) {
    return coloured("31", text);
  }

  String green(String text) {
    return coloured("32", text);
  }

  String yellow(String text) {
    return coloured("33", text);
  }

  private String coloured(String code, String text) {
    return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /// Text from elsewhere without what could steer a terminal.
  static String clean(String text) {
    var clean = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
