package io.tidemill.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Breaks a text between words so that it reads well on a terminal; elsewhere it stays one line.
public final class WrappedText {
  private static final int WIDEST = 100;
  private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9;]*m");

  private WrappedText() {}

  public static List<String> lines(String text, Terminal terminal) {
    return lines(text, terminal, 0);
  }

  /// @param text one line, which may have our own colours in it
  /// @param indent columns that the caller puts before each line
  public static List<String> lines(String text, Terminal terminal, int indent) {
    if (!terminal.isWatched()) return List.of(text);
    var room = Math.min(terminal.width(), WIDEST) - indent;
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (var word : text.split(" ", -1)) {
      if (!line.isEmpty() && shown(line) + 1 + shown(word) > room) {
        lines.add(line.toString());
        line.setLength(0);
      }
      if (!line.isEmpty()) line.append(' ');
      line.append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static int shown(CharSequence text) {
    var plain = STYLE.matcher(text).replaceAll("");
    return plain.codePointCount(0, plain.length());
  }
}
