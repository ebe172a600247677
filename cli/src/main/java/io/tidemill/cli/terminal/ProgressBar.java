package io.tidemill.cli.terminal;

import java.util.List;

/// One line that fits the terminal: a bar, and beside it as many facts as there is room for.
public final class ProgressBar {
  private static final int LONGEST = 40;
  private static final int SHORTEST = 10;
  private static final String GAP = "  ";

  private final Terminal terminal;

  public ProgressBar(Terminal terminal) {
    this.terminal = terminal;
  }

  /// @param share 0 to 1
  /// @param facts the most important first
  public String line(double share, List<String> facts) {
    var room = terminal.width() - 1; // a full line would wrap on some terminals
    // By the terminal's width alone: it must not jump when a number gets longer.
    var length = Math.clamp(terminal.width() / 4, SHORTEST, LONGEST);
    var words = fitting(facts, room - length - GAP.length());
    return length + GAP.length() + words.length() > room
        ? words.substring(0, Math.min(words.length(), room))
        : bar(share, length) + GAP + words;
  }

  private static String fitting(List<String> facts, int room) {
    var count = facts.size();
    while (count > 1 && String.join(GAP, facts.subList(0, count)).length() > room) count--;
    return String.join(GAP, facts.subList(0, count));
  }

  private String bar(double share, int length) {
    var full = (int) Math.floor(share * length);
    var done = terminal.hasBoxes() ? "━" : "#";
    // The same stroke in grey looks best, where grey can be seen.
    var open = !terminal.hasBoxes() ? "-" : terminal.hasColours() ? "━" : "╌";
    return terminal.green(done.repeat(full)) + terminal.dim(open.repeat(length - full));
  }
}
