package io.tidemill.processor;

/// Thrown through the engine's own code when a workflow or task is not to go on here.
final class Stopped extends RuntimeException {
  private final Stop why;

  Stopped(Stop why) {
    super(why.name(), null, false, false);
    this.why = why;
  }

  Stop why() {
    return why;
  }
}
