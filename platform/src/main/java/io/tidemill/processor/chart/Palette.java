package io.tidemill.processor.chart;

/// Colours that colour-blind people can distinguish (after Okabe and Ito), all visible on white.
public final class Palette {
  public static final String MAIN = "#0072b2";
  public static final String GOOD = "#009e73";
  public static final String BAD = "#d55e00";
  static final String GRID = "#e3e9ee";
  static final String AXIS = "#9aa8b4";
  public static final String REST = "#b4bfc8";

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
