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

/// The queue from outside: how much waits, how much runs, who works.
public final class JobQueueInspector {
  private static final Script LOOK = Script.load(JobQueueInspector.class, "inspect_queue.lua");

  private final Redis redis;
  private final JobNames names;
  private final FairShare shares;

  public JobQueueInspector(Redis redis, JobsConfig config) {
    this.redis = redis;
    this.names = config.names();
    this.shares = config.shares();
  }

  /// How full the queue is.
  ///
  /// @param waiting in the queue or in line before it
  /// @param accepted entries ever added, and jobs in line
  public record Depth(long waiting, long running, long workers, long accepted) {}

  /// How full the queue is; all zero before anybody has made it.
  public Depth depth() {
    var inLine = (Long) requireNonNull(redis.call(RedisCommand.HLEN, names.waiting()));
    if (!Long.valueOf(1).equals(redis.call(RedisCommand.EXISTS, names.stream()))) {
      return new Depth(inLine, 0, 0, inLine);
    }
    var stream = Redis.map(redis.call(RedisCommand.XINFO, "STREAM", names.stream()));
    var accepted = number(stream, "entries-added") + inLine;
    for (var reply : Redis.list(redis.call(RedisCommand.XINFO, "GROUPS", names.stream()))) {
      var group = Redis.map(reply);
      if (names.group().equals(group.get("name"))) {
        return new Depth(waiting(group) + inLine, number(group, "pending"), workers(), accepted);
      }
    }
    return new Depth(inLine, 0, 0, accepted);
  }

  /// What waits where, and for how long.
  ///
  /// @param at by Redis' clock, as all times here
  /// @param inLine before the queue
  /// @param unread in the queue
  /// @param pending that some worker has, or that was laid aside
  /// @param accepted as in [Depth]
  /// @param oldest when the oldest came that nobody has taken
  /// @param workers alive, of whichever make, with the tasks that each does; all when it names none
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

    /// What nobody has taken, or was laid aside for others.
    public long waiting() {
      return inLine + unread + aside();
    }

    public long aside() {
      return tasks.stream().mapToLong(Task::aside).sum();
    }

    /// What workers are at.
    public long running() {
      return Math.max(0, pending - aside());
    }
  }

  /// The jobs of one task.
  ///
  /// @param inLine counted for the first hundred tenants
  /// @param out of a limited task: those that went to the queue and have not ended
  /// @param aside entries that workers laid aside because they do not do this task
  /// @param limit how many may be out at once; null when it has none
  public record Task(
      String name,
      long inLine,
      long out,
      long aside,
      @Nullable Integer limit,
      @Nullable Integer limitPerTenant) {}

  /// A closer look than [#depth].
  public QueueState look() {
    var names = Arrays.stream(JobTask.values()).map(JobTask::wire).collect(joining(","));
    var reply =
        Redis.list(
            redis.run(
                LOOK,
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

  /// A job as it is kept (C3.1), its fields untouched; empty when it is gone.
  public Map<String, byte[]> record(String id) {
    return Redis.rawMap(redis.call(RedisCommand.HGETALL, JobNames.job(id)));
  }

  // Redis can't tell when somebody deleted entries by hand; then what is there is the best bound.
  private long waiting(Map<String, String> group) {
    if (!"null".equals(group.get("lag"))) return number(group, "lag");
    return (Long) requireNonNull(redis.call(RedisCommand.XLEN, names.stream()));
  }

  // Each says so every few seconds: one that was killed stays in Redis' own books for long.
  private long workers() {
    return (Long) requireNonNull(redis.call(RedisCommand.ZCARD, names.alive()));
  }

  private static long number(Map<String, String> reply, String field) {
    var text = reply.getOrDefault(field, "");
    return text.chars().allMatch(Character::isDigit) && !text.isEmpty() ? Long.parseLong(text) : 0;
  }
}
