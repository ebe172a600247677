package io.tidemill.app.wiring;

import io.tidemill.cli.client.Version;
import io.tidemill.config.Settings;
import io.tidemill.dashboard.overview.PresenceAnnouncer.Self;
import io.tidemill.presence.PresenceStore;
import io.tidemill.presence.PresenceStore.Seen;
import io.tidemill.redis.Redis;
import io.tidemill.sql.AnalyticsConfig;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Stores that one process of an installation may write: analytics in DuckDB. With a second one the
/// data would be split between two files, and nobody would see it.
///
/// Processes announce theirs through Redis.
public final class ExclusiveStores {
  private static final String ANALYTICS = "analytics";
  private static final String POSTGRES = "postgresql";

  /// Another process has a store that this one would write.
  ///
  /// @param isCertain whether it runs and stays; one elsewhere may have died, and one that began to
  ///   start later than this one gives way
  public record Conflict(String problem, boolean isCertain) {}

  private static final long CLOCKS_DIFFER = 1_000;

  private final Self self;
  private final Map<String, String> own;
  private final PresenceStore presence;

  /// @param self this process, with what it writes
  public ExclusiveStores(Self self, Redis redis) {
    this.self = self;
    own = self.stores();
    presence = new PresenceStore(redis);
  }

  /// A process of these roles that starts now.
  ///
  /// @param clock of Redis, so that processes on several machines have an order
  public static Self self(Settings settings, Set<Role> roles, InstantSource clock) {
    return new Self(
        WorkerName.unique(),
        WorkerName.host(),
        ProcessHandle.current().pid(),
        Version.current(),
        roles.stream().map(Role::wire).toList(),
        clock.millis(),
        of(settings, roles));
  }

  private static Map<String, String> of(Settings settings, Set<Role> roles) {
    var writes = roles.contains(Role.COLLECTOR) || roles.contains(Role.PROCESSOR);
    return writes ? Map.of(ANALYTICS, analytics(settings)) : Map.of();
  }

  private static String analytics(Settings settings) {
    var config = settings.section(AnalyticsConfig.class);
    var data = settings.section(DataConfig.class).dir();
    return config.isPostgres() ? POSTGRES : absolute(config.file(data));
  }

  private static String absolute(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }

  /// Announces what this process is going to write, then looks for one that writes the same store.
  /// Of two that start together at least one sees the other.
  public Optional<Conflict> claim() {
    if (own.isEmpty()) return Optional.empty();
    presence.announce(self.member(true, Map.of(), Map.of()));
    return presence.snapshot().processes().stream()
        .filter(seen -> isHere(seen) ? !hasEnded(seen) : !seen.isGone())
        .flatMap(other -> conflict(other).stream())
        .findFirst();
  }

  /// Takes the claim back.
  public void release() {
    presence.leave(self.id());
  }

  // One that was killed counts as alive for some seconds. On this machine that can be told: one
  // that had our own process id can only be a predecessor of ours, and a process that began after
  // the last announcement only has the same id.
  private static boolean hasEnded(Seen seen) {
    var pid = seen.process().pid();
    if (pid == ProcessHandle.current().pid()) return true;
    var process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    if (process.isEmpty()) return true;
    var began = process.get().info().startInstant();
    return began.filter(at -> at.toEpochMilli() > seen.seenAt() + CLOCKS_DIFFER).isPresent();
  }

  private static boolean isHere(Seen seen) {
    return seen.process().host().equals(WorkerName.host());
  }

  private Optional<Conflict> conflict(Seen other) {
    var database = own.get(ANALYTICS);
    var their = other.process().stores().get(ANALYTICS);
    if (database == null || their == null) return Optional.empty();
    if (database.equals(POSTGRES) && their.equals(POSTGRES)) return Optional.empty();
    return conflict(
        other,
        "analytics.url: %s has its analytics in %s, this process would have them in %s, and a DuckDB file belongs to one process; run collector and processor in one process, or set analytics.url to the same PostgreSQL for all"
            .formatted(name(other), described(their), described(database)));
  }

  private Optional<Conflict> conflict(Seen other, String problem) {
    return Optional.of(new Conflict(problem, isHere(other) && comesFirst(other)));
  }

  private boolean comesFirst(Seen other) {
    var process = other.process();
    var order = Long.compare(process.startedAt(), self.startedAt());
    return !process.isStarting()
        || order < 0
        || (order == 0 && process.id().compareTo(self.id()) < 0);
  }

  private static String name(Seen other) {
    var process = other.process();
    return "%s (%s)".formatted(process.name(), String.join(", ", process.roles()));
  }

  private static String described(String database) {
    return database.equals(POSTGRES) ? "PostgreSQL" : database;
  }
}
