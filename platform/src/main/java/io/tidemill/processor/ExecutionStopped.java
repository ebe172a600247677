package io.tidemill.processor;

/// Thrown through the engine's own code when a workflow or task is not to go on here.
final class ExecutionStopped extends RuntimeException {
  private final StopReason why;

  ExecutionStopped(StopReason why) {
    super(why.name(), null, false, false);
    this.why = why;
  }

  StopReason why() {
    return why;
  }
}
