package io.tidemill.contract.job;

/// One entry of a job's event stream (C3.1).
///
/// @param id the stream's own id of the entry
/// @param data JSON text
public record JobEvent(String id, String type, long ts, String step, String data) {
  /// Whether a reader has nothing more to wait for (C3.6).
  public boolean isTerminal() {
    return JobStatus.of(type).map(JobStatus::isTerminal).orElse(false);
  }
}
