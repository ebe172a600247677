package io.tidemill.job;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobTask;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the state of the queue: jobs that wait, jobs that run, workers.
public final class JobQueueInspector {
  private static final Script INSPECT = Script.load(JobQueueInspector.class, "inspect_queue.lua");

  private final Redis redis;
  private final JobNames names;
  private final FairShare shares;

  public JobQueueInspector(Redis redis, JobsConfig config) {
    this.redis = redis;
    this.names = config.names();
    this.shares = config.shares();
  }

  /// The depth of the queue.
  ///
  /// @param waiting in the queue or in a line before it
  /// @param accepted entries ever added, and jobs in line
  public record Depth(long waiting, long running, long workers, long accepted) {}

  /// The depth of the queue; all zero while there is none.
  public Depth depth() {
    var inLine = (Long) requireNonNull(redis.call(RedisCommand.HLEN, names.waiting()));
    if (!Long.valueOf(1).equals(redis.call(RedisCommand.EXISTS, names.stream()))) {
      return new Depth(inLine, 0, 0, inLine);
    }
    var stream = Redis.map(redis.call(RedisCommand.XINFO, "STREAM", names.stream()));
    var accepted = Redis.number(stream.get("entries-added")) + inLine;
    for (var reply : Redis.list(redis.call(RedisCommand.XINFO, "GROUPS", names.stream()))) {
      var group = Redis.map(reply);
      if (names.group().equals(group.get("name"))) {
        return new Depth(
            waiting(group) + inLine, Redis.number(group.get("pending")), workers(), accepted);
      }
    }
    return new Depth(inLine, 0, 0, accepted);
  }

  /// The state of the queue.
  ///
  /// @param at by Redis' clock, as all times here
  /// @param inLine before the queue
  /// @param unread in the queue
  /// @param pending delivered or set aside
  /// @param accepted as in [Depth]
  /// @param oldest when the oldest job came that no worker has taken
  /// @param workers alive, of any make, with their tasks; empty for all tasks
  public record QueueState(
      long at,
      long inLine,
      long unread,
      long pending,
      long accepted,
      @Nullable Long oldest,
      List<Task> tasks,
      Map<String, List<String>> workers) {
    public QueueState {
      tasks = List.copyOf(tasks);
      workers = Map.copyOf(workers);
    }

    /// Jobs that no worker runs.
    public long waiting() {
      return inLine + unread + aside();
    }

    public long aside() {
      return tasks.stream().mapToLong(Task::aside).sum();
    }

    /// Jobs that workers run.
    public long running() {
      return Math.max(0, pending - aside());
    }
  }

  /// The jobs of one task.
  ///
  /// @param inLine counted for the first hundred tenants
  /// @param out of a limited task: those in the queue or running
  /// @param aside entries that workers set aside because they do not do this task
  /// @param limit of jobs in flight; null when there is none
  public record Task(
      String name,
      long inLine,
      long out,
      long aside,
      @Nullable Integer limit,
      @Nullable Integer limitPerTenant) {}

  /// More than [#depth], in one script.
  public QueueState inspect() {
    var names = Arrays.stream(JobTask.values()).map(JobTask::wire).collect(joining(","));
    var reply =
        Redis.list(
            redis.run(
                INSPECT,
                List.of(this.names.stream()),
                List.of(this.names.group(), JobNames.job(""), names)));
    var workers = new LinkedHashMap<String, List<String>>();
    for (var each : Redis.list(reply.get(9))) {
      var worker = Redis.list(each);
      workers.put(Redis.text(worker.get(0)), tasks(Redis.text(worker.get(1))));
    }
    return new QueueState(
        (Long) reply.get(0),
        (Long) reply.get(1),
        (Long) reply.get(2),
        (Long) reply.get(3),
        (Long) reply.get(5),
        earlier(Redis.text(reply.get(6)), Redis.text(reply.get(7))),
        Redis.list(reply.get(8)).stream().map(this::task).toList(),
        workers);
  }

  private Task task(Object reply) {
    var it = Redis.list(reply);
    var name = Redis.text(it.get(0));
    return new Task(
        name,
        (Long) it.get(1),
        (Long) it.get(2),
        (Long) it.get(3),
        shares.limit(name),
        shares.limitPerKey(name));
  }

  private static List<String> tasks(String announced) {
    return Arrays.stream(announced.split(",")).filter(task -> !task.isEmpty()).toList();
  }

  private static @Nullable Long earlier(String one, String other) {
    if (one.isEmpty() && other.isEmpty()) return null;
    var first = one.isEmpty() ? Long.MAX_VALUE : Long.parseLong(one);
    return Math.min(first, other.isEmpty() ? Long.MAX_VALUE : Long.parseLong(other));
  }

  /// The raw hash of a job (C3.1); empty when it is gone.
  public Map<String, byte[]> record(String id) {
    return Redis.rawMap(redis.call(RedisCommand.HGETALL, JobNames.job(id)));
  }

  /// Entries of the queue's stream, read or not.
  public long entries() {
    return (Long) requireNonNull(redis.call(RedisCommand.XLEN, names.stream()));
  }

  // Redis does not know the lag after entries were deleted; the length is an upper bound.
  private long waiting(Map<String, String> group) {
    if (!"null".equals(group.get("lag"))) return Redis.number(group.get("lag"));
    return entries();
  }

  // Redis itself keeps consumers that died.
  private long workers() {
    return (Long) requireNonNull(redis.call(RedisCommand.ZCARD, names.alive()));
  }
}
