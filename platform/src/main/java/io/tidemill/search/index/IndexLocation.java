package io.tidemill.search.index;

import io.tidemill.lucene.SearchException;
import io.tidemill.redis.RedisException;
import io.tidemill.search.index.IndexRegistry.Registered;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells whether the index in a folder is the one that the indexers write.
///
/// It asks Redis now and then, not for every search. While Redis does not answer, its last answer
/// holds.
public final class IndexLocation {
  private static final Logger log = LoggerFactory.getLogger(IndexLocation.class);

  /// [#state] asks more often, in the background.
  private static final Duration FRESH = Duration.ofSeconds(15);

  private static final Duration OFTEN = IndexRegistry.EVERY.dividedBy(2);

  /// Before a search is refused: the index may have been registered just now.
  private static final Duration RECENT = Duration.ofMillis(500);

  private record Answer(Optional<Registered> index, long atNanos) {
    boolean isYounger(Duration age) {
      return System.nanoTime() - atNanos < age.toNanos();
    }
  }

  private final IndexRegistry registry;
  private final Path folder;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile @Nullable Answer known;

  public IndexLocation(IndexRegistry registry, Path folder) {
    this.registry = registry;
    this.folder = folder;
  }

  /// Returns when the index is the one in use, or none is in use yet.
  ///
  /// @param id of the index in the folder; empty when there is none
  /// @throws SearchException that says where the index is
  public void check(String id) {
    if (isInUse(id)) return;
    var index = ask(RECENT);
    if (isInUse(index, id)) return;
    throw SearchException.elsewhere(elsewhere(index.orElseThrow(), id));
  }

  /// Whether the index is the one in use, as far as is known here, or none is in use yet.
  ///
  /// @param id of an index
  public boolean isInUse(String id) {
    return isInUse(ask(FRESH), id);
  }

  /// The state in one line; it does not wait for a Redis that hangs.
  ///
  /// @throws SearchException when the index is elsewhere, or can't be read
  public String state() {
    Thread.ofVirtual().name("index").start(() -> ask(OFTEN));
    check(id());
    return ask(FRESH).map(index -> "written by " + index.indexer()).orElse("not written yet");
  }

  private String id() {
    try {
      return OpenIndex.id(folder);
    } catch (IOException unreadable) {
      throw new SearchException(
          "the index in " + folder + " can't be read: " + unreadable, unreadable);
    }
  }

  private static boolean isInUse(Optional<Registered> index, String id) {
    return index.isEmpty() || index.get().id().equals(id);
  }

  // One caller asks; the others go on with what is known, or wait for the first answer.
  private Optional<Registered> ask(Duration maxAge) {
    var before = known;
    if (before == null) asking.lock();
    else if (before.isYounger(maxAge) || !asking.tryLock()) return before.index();
    try {
      var now = known;
      if (now != null && now.isYounger(maxAge)) return now.index();
      var answer = new Answer(answered(now), System.nanoTime());
      known = answer;
      return answer.index();
    } finally {
      asking.unlock();
    }
  }

  private Optional<Registered> answered(@Nullable Answer before) {
    try {
      return registry.current();
    } catch (RedisException silent) {
      log.debug("where the index is can't be asked: {}", silent.getMessage());
      return before == null ? Optional.empty() : before.index();
    }
  }

  private String elsewhere(Registered index, String id) {
    var here = registry.self().host();
    var isHere = index.host().equals(here);
    return "the search index is not here: %s %s it to %s%s, but %s%s %s. Give this process that folder (search.dir%s"
        .formatted(
            index.indexer(),
            index.isHeld() ? "writes" : "wrote",
            index.folder(),
            isHere ? "" : " there",
            absolute(folder),
            isHere ? "" : " on " + here,
            id.isEmpty() ? "has no index" : "has another one",
            isHere ? ")" : ", shared over the network), or run it on " + index.host());
  }

  /// The folder as the registry names it.
  public static Path absolute(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException missing) {
      return folder.toAbsolutePath().normalize();
    }
  }
}
