package io.tidemill.processor.report;

/// Colours that people who see few colours can tell apart too (after Okabe and Ito), all of them
/// visible on white paper.
final class Palette {
  static final String MAIN = "#0072b2";
  static final String GOOD = "#009e73";
  static final String BAD = "#d55e00";
  static final String GRID = "#e3e9ee";
  static final String AXIS = "#9aa8b4";
  static final String REST = "#b4bfc8";

  private static final String[] ALL = {
    MAIN, "#e69f00", GOOD, "#cc79a7", "#56b4e9", BAD, "#6a5acd", "#8c7a2f"
  };

  private Palette() {}

  static String colour(int index) {
    return ALL[Math.floorMod(index, ALL.length)];
  }

  static int size() {
    return ALL.length;
  }
}
