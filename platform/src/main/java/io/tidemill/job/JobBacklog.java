package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobTask;
import io.tidemill.redis.Redis;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// The jobs that wait because the queue is full: a line for each tenant, from which weighted turns
/// lead to the queue.
///
/// Each change is one script, so a job is always either in its line or in the queue.
public final class JobBacklog {
  /// The tenant of requests that name none.
  public static final String DEFAULT_TENANT = "default";

  private static final Script RELEASE = Script.load(JobBacklog.class, "expire_and_release.lua");

  // How late a releaser may be and still expire a job that was never started (F21).
  private static final Duration GRACE = Duration.ofMinutes(1);

  /// The state after a run.
  ///
  /// @param expired jobs that ended because no worker had started them
  /// @param unread entries of the queue that no worker has read
  /// @param next until the next job expires; negative when there is none
  public record Result(long released, long expired, long inLine, long unread, Duration next) {}

  private final Redis redis;
  private final JobNames names;
  private final FairShare shares;
  private final int window;
  private final int defaultTtlSeconds;
  private final InstantSource clock;
  private volatile Runnable onJoin = () -> {};

  public JobBacklog(Redis redis, JobsConfig config, InstantSource clock) {
    this.redis = redis;
    this.names = config.names();
    this.shares = config.shares();
    this.window = config.window();
    this.defaultTtlSeconds = config.ttlS();
    this.clock = clock;
  }

  /// Ends jobs that no worker started in time, and moves others to the queue while it has room. Any
  /// number of processes may do so at the same time.
  public Result expireAndRelease() {
    var reply =
        Redis.list(
            redis.run(
                RELEASE,
                List.of(names.stream()),
                List.of(
                    names.group(),
                    clock.millis(),
                    JobNames.job(""),
                    JobNames.EVENTS_SUFFIX,
                    window,
                    shares.json(),
                    defaultTtlSeconds,
                    JobNames.STEP_EXPIRE,
                    GRACE.toMillis(),
                    JobNames.idempotency(""))));
    return new Result(
        (Long) reply.get(0),
        (Long) reply.get(1),
        (Long) reply.get(2),
        (Long) reply.get(3),
        Duration.ofMillis((Long) reply.get(4)));
  }

  /// Registers a listener for jobs of this process that join a line.
  void onJoin(Runnable listener) {
    onJoin = listener;
  }

  void joined() {
    onJoin.run();
  }

  boolean isLimited() {
    return shares.isLimited();
  }

  /// Window and shares, for scripts that release jobs.
  List<Object> rules() {
    return List.of(window, shares.json());
  }

  /// The same with the limits of a task.
  public List<Object> rules(JobTask task) {
    return List.of(window, shares.json(), shares.isLimited(task) ? 1 : 0);
  }
}
