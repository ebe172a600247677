package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobTask;
import io.tidemill.redis.Redis;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// Where jobs wait that the queue has no room for: in the line of their tenant, from which weighted
/// turns lead to the queue.
///
/// Each change is one script, so that a job is in its line or in the queue, never in both and never
/// in neither, whoever dies.
public final class JobBacklog {
  /// Whose jobs those are that name nobody.
  public static final String DEFAULT_TENANT = "default";

  private static final Script TEND = Script.load(JobBacklog.class, "expire_and_release.lua");

  // How late everybody may be, and a job that nobody started still gets its end (F21).
  private static final Duration GRACE = Duration.ofMinutes(1);

  /// How it stands after a look.
  ///
  /// @param expired jobs that ended because nobody had started them
  /// @param unread entries of the queue that nobody has read
  /// @param next until somebody has to look again; negative when there is nothing to look at
  public record Tended(long released, long expired, long inLine, long unread, Duration next) {}

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

  /// Ends jobs whose time ran out before anybody started them, and moves others to the queue where
  /// there is room. Any number of processes may do so at the same time.
  public Tended tend() {
    var reply =
        Redis.list(
            redis.run(
                TEND,
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
    return new Tended(
        (Long) reply.get(0),
        (Long) reply.get(1),
        (Long) reply.get(2),
        (Long) reply.get(3),
        Duration.ofMillis((Long) reply.get(4)));
  }

  /// Has somebody told when a job of this process joins the line.
  void onJoin(Runnable listener) {
    onJoin = listener;
  }

  void joined() {
    onJoin.run();
  }

  boolean isLimited() {
    return shares.isLimited();
  }

  /// What every script needs that may move jobs: window and shares.
  List<Object> rules() {
    return List.of(window, shares.json());
  }

  /// The same for one job of this task.
  public List<Object> rules(JobTask task) {
    return List.of(window, shares.json(), shares.isLimited(task) ? 1 : 0);
  }
}
