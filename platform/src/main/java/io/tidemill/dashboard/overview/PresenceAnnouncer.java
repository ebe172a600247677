package io.tidemill.dashboard.overview;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.http.server.HealthRoutes;
import io.tidemill.presence.PresenceStore;
import io.tidemill.redis.RedisException;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Announces this process every few seconds, with its health checks and figures.
public final class PresenceAnnouncer implements Service {
  private static final Logger log = LoggerFactory.getLogger(PresenceAnnouncer.class);
  private static final Duration CHECKED = PresenceStore.EVERY.multipliedBy(2);
  private static final int FIRST = 10;
  private static final Duration SETTLES = Duration.ofSeconds(10);
  private static final Duration STARTS = Duration.ofSeconds(30);
  private static final String DELIVERED = "amqp.delivered:";

  /// The identity of this process.
  ///
  /// @param stores names of the files that it writes, by store
  public record Self(
      String id,
      String host,
      long pid,
      String version,
      List<String> roles,
      long startedAt,
      Map<String, String> stores) {
    public Self {
      roles = List.copyOf(roles);
      stores = Map.copyOf(stores);
    }

    /// The same in its present state.
    public PresenceStore.Member member(
        boolean isStarting, Map<String, PresenceStore.Check> checks, Map<String, Double> figures) {
      return new PresenceStore.Member(
          id, host, pid, version, roles, startedAt, isStarting, checks, figures, stores);
    }
  }

  private record Deliveries(double count, long nanos) {}

  private final PresenceStore presence;
  private final Self self;
  private final HealthRoutes health;
  private final MeterRegistry metrics;
  private final Map<String, Deliveries> deliveries = new HashMap<>();
  private final PeriodicTask task =
      new PeriodicTask("presence", PresenceStore.EVERY, this::announce);
  private final long beganNanos = System.nanoTime();
  private boolean wasReady;
  private int count;

  public PresenceAnnouncer(
      PresenceStore presence, Self self, HealthRoutes health, MeterRegistry metrics) {
    this.presence = presence;
    this.self = self;
    this.health = health;
    this.metrics = metrics;
  }

  @Override
  public String name() {
    return task.name();
  }

  @Override
  public void start() {
    task.start();
  }

  /// Removes the process at once, without waiting for a timeout.
  @Override
  public void stop() {
    task.stop();
    try {
      presence.leave(self.id());
    } catch (RedisException silent) {
      log.debug("the process could not be removed: {}", silent.getMessage());
    }
  }

  private void announce() throws InterruptedException {
    var checks = new HashMap<String, PresenceStore.Check>();
    health
        .statuses(CHECKED)
        .forEach((name, status) ->
            checks.put(
                name, new PresenceStore.Check(status.status().equals("up"), status.detail())));
    var figures = ProcessFigures.of(metrics);
    addIdle(figures);
    var process = self.member(isStarting(checks), checks, figures);
    try {
      presence.announce(process);
      // A process that was killed just now counts as alive for a while.
      if (count++ < FIRST) presence.replace(process);
    } catch (RedisException silent) {
      log.debug("the process could not be announced: {}", silent.getMessage());
    }
  }

  // Brokers take a moment to count it among their consumers.
  private boolean isStarting(Map<String, PresenceStore.Check> checks) {
    var age = System.nanoTime() - beganNanos;
    wasReady |= checks.values().stream().allMatch(PresenceStore.Check::isUp);
    return age < (wasReady ? SETTLES : STARTS).toNanos();
  }

  // The time since the last delivery of each queue, to the precision of the announcements.
  private void addIdle(Map<String, Double> figures) {
    var now = System.nanoTime();
    var idle = new HashMap<String, Double>();
    figures.forEach((name, count) -> {
      if (!name.startsWith(DELIVERED) || count == 0) return;
      var before = deliveries.get(name);
      if (before == null || before.count() != count)
        deliveries.put(name, new Deliveries(count, now));
      else idle.put(idle(name), (now - before.nanos()) / 1e6);
      idle.putIfAbsent(idle(name), 0.0);
    });
    figures.putAll(idle);
  }

  private static String idle(String name) {
    return ProcessFigures.name("amqp.idle.ms", name.substring(DELIVERED.length()));
  }
}
