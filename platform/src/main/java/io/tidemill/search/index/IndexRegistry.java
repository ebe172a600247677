package io.tidemill.search.index;

import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Which index the pages of this installation are in, known to all its processes through Redis.
///
/// An index is known by the id in its folder, not by a path: the same folder may have another path
/// on another machine.
public final class IndexRegistry {
  /// The interval in which an indexer renews its claim.
  public static final Duration EVERY = Duration.ofSeconds(3);

  /// An indexer that was silent for this long is gone.
  public static final Duration LASTS = Duration.ofSeconds(10);

  private static final Script CLAIM = Script.load(IndexRegistry.class, "claim_index.lua");
  private static final Script RELEASE = Script.load(IndexRegistry.class, "release_index.lua");
  private static final String KEY = "index:pages";

  /// A process.
  ///
  /// @param id unique
  public record Member(String id, String host, long pid) {}

  /// The index in use.
  ///
  /// @param host the machine of the indexer that writes it, or wrote it last
  /// @param isHeld whether that indexer has not stopped
  public record Registered(String id, String host, String pid, String folder, boolean isHeld) {
    /// The indexer for people.
    public String indexer() {
      return "the indexer on %s (process %s)".formatted(host, pid);
    }
  }

  /// What became of a claim.
  public sealed interface Claim {
    record Granted() implements Claim {}

    /// @param other the index that is in use
    record Refused(Registered other) implements Claim {}
  }

  private final Redis redis;
  private final Member self;

  public IndexRegistry(Redis redis, Member self) {
    this.redis = redis;
    this.self = self;
  }

  public Member self() {
    return self;
  }

  /// Claims to write an index, or renews the claim.
  ///
  /// @param isOpened whether the folder has just been opened, so that an earlier writer of it is
  ///   gone
  /// @param takeOver how long the indexer of another index must have been silent
  public Claim claim(String id, Path folder, boolean isOpened, Duration takeOver) {
    var reply =
        Redis.list(
            redis.run(
                CLAIM,
                List.of(KEY),
                List.of(
                    id,
                    self.id(),
                    self.host(),
                    self.pid(),
                    folder.toString(),
                    isOpened ? "1" : "0",
                    LASTS.toMillis(),
                    takeOver.toMillis())));
    if (Redis.text(reply.getFirst()).equals("GRANTED")) return new Claim.Granted();
    var texts = reply.subList(1, reply.size()).stream().map(Redis::text).toList();
    return new Claim.Refused(registered(texts));
  }

  /// Gives the claim up; the index stays the one in use.
  public void release() {
    redis.run(RELEASE, List.of(KEY), List.of(self.id()));
  }

  /// The index in use; empty as long as no indexer has written any.
  public Optional<Registered> current() {
    var reply =
        Redis.list(redis.call(RedisCommand.HMGET, KEY, "id", "host", "pid", "folder", "holder"));
    return reply.getFirst() == null
        ? Optional.empty()
        : Optional.of(registered(reply.stream().map(Redis::text).toList()));
  }

  private static Registered registered(List<String> texts) {
    return new Registered(
        texts.get(0), texts.get(1), texts.get(2), texts.get(3), !texts.get(4).isEmpty());
  }
}
