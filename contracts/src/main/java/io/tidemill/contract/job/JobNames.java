package io.tidemill.contract.job;

import java.util.Set;
import java.util.regex.Pattern;

/// The names of contract C3, spelled once.
///
/// @param stream the queue
/// @param group the consumer group of the workers
public record JobNames(String stream, String group) {
  /// The stream of dead letters: queue entries that can't be processed.
  public static final String DEAD = "jobs:dead";

  /// The suffix that makes a job's key that of its events.
  public static final String EVENTS_SUFFIX = ":events";

  /// The channel that tells workers of canceled jobs: one job id a message.
  public static final String CANCEL_CHANNEL = "jobs:cancel";

  /// The `step` of an event when a gateway admits the job.
  public static final String STEP_ENQUEUE = "gateway.enqueue";

  /// The `step` of an event when a client cancels the job.
  public static final String STEP_CANCEL = "gateway.cancel";

  /// The `step` of an event when a worker starts the job.
  public static final String STEP_START = "worker.start";

  /// The `step` of an event when the job is done.
  public static final String STEP_DONE = "worker.done";

  /// The `step` of an event when the job failed.
  public static final String STEP_ERROR = "worker.error";

  /// The `step` of an event when a dead letter is redriven as a new job.
  public static final String STEP_REDRIVE = "gateway.redrive";

  /// The `step` of an event when the job expired in the queue.
  public static final String STEP_EXPIRE = "queue.expire";

  /// The name of a queue entry's schema.
  public static final String ENTRY = "job-entry";

  /// The suffixes of keys beside the queue; scripts spell no others.
  public static final Set<String> SUFFIXES =
      Set.of(
          ":waiting",
          ":line:",
          ":tenants",
          ":turns",
          ":turn",
          ":out:",
          ":held",
          ":deadlines",
          ":recent",
          ":changes",
          ":changed",
          ":tools",
          ":consumers",
          ":ours",
          ":tasks",
          ":seen",
          ":aside",
          ":aside:");

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

  /// The `step` of events that the handler of a task emits.
  public static String step(String task) {
    return "worker." + task;
  }

  /// The workers that are alive, a sorted set.
  public String alive() {
    return stream + ":consumers";
  }

  /// The jobs that wait for a place in the queue, a hash.
  public String waiting() {
    return stream + ":waiting";
  }

  /// The newest jobs, a sorted set.
  public String recent() {
    return stream + ":recent";
  }

  /// The jobs that changed, a short stream.
  public String changes() {
    return stream + ":changes";
  }

  /// The tools that workers offer, a hash by name (C3.11).
  public String tools() {
    return stream + ":tools";
  }

  /// Whether this is a valid job id: a UUID or the like, without characters that could make it the
  /// key of something else.
  public static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /// The job's hash.
  public static String job(String id) {
    return "job:" + id;
  }

  /// The job's events.
  public static String events(String id) {
    return job(id) + EVENTS_SUFFIX;
  }

  /// The key that leads from an MCP call in flight to its job.
  public static String call(String call) {
    return "mcp:call:" + call;
  }

  /// The key that leads from an Idempotency-Key to its job.
  public static String idempotency(String key) {
    return "idempotency:" + key;
  }
}
