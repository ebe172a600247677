package io.tidemill.contract.job;

/// Every name of contract C3, spelled once.
///
/// @param stream the queue
/// @param group the consumer group of the workers
public record JobNames(String stream, String group) {
  /// Queue entries that nobody could work off.
  public static final String DEAD = "jobs:dead";

  /// What stands behind a job's key in the key of its events.
  public static final String EVENTS_SUFFIX = ":events";

  /// Where workers hear that a running job was canceled: one job id a message.
  public static final String CANCEL_CHANNEL = "jobs:cancel";

  /// The events' `step` of what the gateway does.
  public static final String STEP_ENQUEUE = "gateway.enqueue";

  /// The events' `step` of a cancel.
  public static final String STEP_CANCEL = "gateway.cancel";

  /// The events' `step` when a worker takes the job.
  public static final String STEP_START = "worker.start";

  /// The events' `step` of a good end.
  public static final String STEP_DONE = "worker.done";

  /// The events' `step` of a bad end.
  public static final String STEP_ERROR = "worker.error";

  /// The events' `step` of a job that was made from a dead entry.
  public static final String STEP_REDRIVE = "gateway.redrive";

  /// The events' `step` of a job that nobody started in time.
  public static final String STEP_EXPIRE = "queue.expire";

  /// What an entry of the queue is called, as in the name of its schema.
  public static final String ENTRY = "job-entry";

  private static final int MAX_ID = 128;

  /// The workers that are alive: a sorted set beside the queue.
  public String alive() {
    return stream + ":consumers";
  }

  /// The jobs that wait for their turn before the queue: a hash beside it.
  public String waiting() {
    return stream + ":waiting";
  }

  /// The jobs that came lately: a sorted set beside the queue.
  public String recent() {
    return stream + ":recent";
  }

  /// The jobs that changed, for those who follow them all: a short stream beside the queue.
  public String changes() {
    return stream + ":changes";
  }

  /// The tools that workers offer: a hash beside the queue, by name (C3.11).
  public String tools() {
    return stream + ":tools";
  }

  /// Whether this can be a job's id: a UUID, or anything as harmless. No colon, no brace, no
  /// control character: an id can't name another key than its own.
  public static boolean isId(String id) {
    if (id.isEmpty() || id.length() > MAX_ID) return false;
    for (int i = 0; i < id.length(); i++) {
      if (!isIdCharacter(id.charAt(i))) return false;
    }
    return true;
  }

  private static boolean isIdCharacter(char c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || c == '-'
        || c == '_'
        || c == '.';
  }

  /// The job's hash.
  public static String job(String id) {
    return "job:" + id;
  }

  /// The job's events.
  public static String events(String id) {
    return job(id) + EVENTS_SUFFIX;
  }

  /// Where a call of a tool that is under way leads to its job.
  public static String call(String call) {
    return "mcp:call:" + call;
  }

  /// Where an Idempotency-Key leads to its job.
  public static String idempotency(String key) {
    return "idempotency:" + key;
  }
}
