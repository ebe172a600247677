package io.tidemill.processor;

/// Thrown through the engine's own code when an execution has to stop here.
final class ExecutionStopped extends RuntimeException {
  /// Why an execution stops before it has ended or waits.
  enum Reason {
    CANCELED,
    /// Another process holds it now, or may: nothing more may be written.
    LEASE_LOST,
    TIMED_OUT,
    /// This process stops; another one continues.
    SHUTDOWN
  }

  private final Reason reason;

  ExecutionStopped(Reason reason) {
    super(reason.name(), null, false, false);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
