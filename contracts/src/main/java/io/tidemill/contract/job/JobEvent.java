package io.tidemill.contract.job;

/// One entry of a job's event stream (C3.1).
///
/// @param id the stream's own id of the entry
/// @param data JSON text
public record JobEvent(String id, String type, long ts, String step, String data) {
  /// The type of an event with a line of text.
  public static final String LOG = "log";

  /// The type of an event that says how much is done.
  public static final String PROGRESS = "progress";

  /// The type of an event with the next piece of a text.
  public static final String TOKEN = "token";

  /// Whether it is the last one (C3.6).
  public boolean isTerminal() {
    return JobStatus.of(type).map(JobStatus::isTerminal).orElse(false);
  }
}
