package io.tidemill.app.wiring;

import io.tidemill.config.Settings;
import io.tidemill.presence.PresenceStore;
import io.tidemill.presence.PresenceStore.Seen;
import io.tidemill.redis.Redis;
import io.tidemill.sql.AnalyticsConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores that one process of an installation may write: the search index, and analytics in DuckDB.
/// With a second one the data would be split between two places, and nobody would see it.
///
/// Processes announce theirs through Redis.
public final class ExclusiveStores {
  private static final Logger log = LoggerFactory.getLogger(ExclusiveStores.class);
  private static final String INDEX = "index";
  private static final String ANALYTICS = "analytics";
  private static final String POSTGRES = "postgresql";

  /// Another process has a store that this one would write.
  ///
  /// @param isHere whether it is known to run, on this machine; one elsewhere may just have died
  public record Conflict(String problem, boolean isHere) {}

  private final Settings settings;
  private final Set<Role> roles;
  private final Map<String, String> own;

  public ExclusiveStores(Settings settings, Set<Role> roles) {
    this.settings = settings;
    this.roles = Set.copyOf(roles);
    own = of(settings, roles);
  }

  /// What these roles write, by store.
  static Map<String, String> of(Settings settings, Set<Role> roles) {
    var stores = new LinkedHashMap<String, String>();
    if (roles.contains(Role.INDEXER)) stores.put(INDEX, absolute(IndexFolder.of(settings)));
    if (roles.contains(Role.COLLECTOR) || roles.contains(Role.PROCESSOR)) {
      stores.put(ANALYTICS, analytics(settings));
    }
    return stores;
  }

  private static String analytics(Settings settings) {
    var config = settings.section(AnalyticsConfig.class);
    var data = settings.section(DataConfig.class).dir();
    return config.isPostgres() ? POSTGRES : absolute(config.file(data));
  }

  private static String absolute(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }

  /// The first conflict with a process that runs now.
  public Optional<Conflict> conflict(Redis redis) {
    var others = others(redis);
    var found = others.stream().flatMap(other -> conflict(other).stream()).findFirst();
    if (found.isEmpty()) warnOfOtherIndex(others);
    return found;
  }

  private static List<Seen> others(Redis redis) {
    return new PresenceStore(redis)
        .snapshot().processes().stream().filter(seen -> !seen.isGone() && !hasEnded(seen)).toList();
  }

  // One that was killed counts as alive for some seconds. On this machine that can be told, and
  // one that had our own process id can only be a predecessor of ours.
  private static boolean hasEnded(Seen seen) {
    if (!isHere(seen)) return false;
    var pid = seen.process().pid();
    return pid == ProcessHandle.current().pid()
        || !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static boolean isHere(Seen seen) {
    return seen.process().host().equals(WorkerName.host());
  }

  private Optional<Conflict> conflict(Seen other) {
    var theirs = other.process().stores();
    var index = own.get(INDEX);
    if (index != null && theirs.containsKey(INDEX)) {
      return conflict(
          other,
          "search.dir: %s writes the index %s, and one process may: this one would write %s; stop one of them"
              .formatted(name(other), theirs.get(INDEX), index));
    }
    var database = own.get(ANALYTICS);
    var their = theirs.get(ANALYTICS);
    if (database == null || their == null) return Optional.empty();
    if (database.equals(POSTGRES) && their.equals(POSTGRES)) return Optional.empty();
    return conflict(
        other,
        "analytics.url: %s has its analytics in %s, this process would have them in %s, and a DuckDB file belongs to one process; run collector and processor in one process, or set analytics.url to the same PostgreSQL for all"
            .formatted(name(other), described(their), described(database)));
  }

  private static Optional<Conflict> conflict(Seen other, String problem) {
    return Optional.of(new Conflict(problem, isHere(other)));
  }

  private static String name(Seen other) {
    var process = other.process();
    return "%s (%s)".formatted(process.name(), String.join(", ", process.roles()));
  }

  private static String described(String database) {
    return database.equals(POSTGRES) ? "PostgreSQL" : database;
  }

  // These roles read the index that another process writes.
  private void warnOfOtherIndex(List<Seen> others) {
    var reads =
        roles.contains(Role.GATEWAY)
            || roles.contains(Role.PROCESSOR)
            || roles.contains(Role.WORKER);
    if (!reads || own.containsKey(INDEX)) return;
    var read = absolute(IndexFolder.of(settings));
    for (var other : others) {
      var written = other.process().stores().get(INDEX);
      if (written == null || !isHere(other) || written.equals(read)) continue;
      log.warn(
          "search.dir: searches of this process read {}, but {} writes {}",
          read,
          name(other),
          written);
    }
  }
}
