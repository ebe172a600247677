package io.tidemill.fuzz;

/// A fault that Jazzer must find, or its silence about the others means nothing.
public final class PlantedTarget {
  private PlantedTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > 2 && input[0] == 'b' && input[1] == 'u' && input[2] == 'g') {
      throw new IllegalStateException("planted");
    }
  }
}
