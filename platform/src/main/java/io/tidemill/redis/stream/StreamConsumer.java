package io.tidemill.redis.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.Script;
import io.tidemill.work.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/// One consumer of one group of a Redis stream: entries come with a lease that must be renewed,
/// expired leases are taken over, and entries that a group still needs are not trimmed.
public final class StreamConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StreamConsumer.class);

  private static final Script RECLAIM = Script.load(StreamConsumer.class, "reclaim_expired.lua");
  private static final Script RENEW = Script.load(StreamConsumer.class, "renew_leases.lua");
  private static final Script ANNOUNCE = Script.load(StreamConsumer.class, "announce_consumer.lua");
  private static final Script LEAVE = Script.load(StreamConsumer.class, "remove_consumer.lua");
  private static final Script TRIM = Script.load(StreamConsumer.class, "trim_settled.lua");

  /// How long a consumer counts as alive after its announcement.
  public static final Duration CONSUMER_TTL = Duration.ofSeconds(15);

  /// How long a task counts as done by a consumer after the last announcement that named it: longer
  /// than a restart takes.
  public static final Duration TASK_TTL = Duration.ofMinutes(5);

  private static final Duration FORGET_CONSUMER_AFTER = Duration.ofHours(1);

  private final Redis redis;
  private final String stream;
  private final String group;
  private final String consumer;
  private final Duration lease;
  private final Counter lost;
  private volatile @Nullable Connection reader;
  private volatile boolean mixed;

  /// The result of a trim.
  ///
  /// @param holder the group that needs the oldest entry
  public record Trimmed(long dropped, long left, String holder) {}

  public StreamConsumer(
      Redis redis,
      String stream,
      String group,
      String consumer,
      Duration lease,
      MeterRegistry metrics) {
    this.redis = redis;
    this.stream = stream;
    this.group = group;
    this.consumer = consumer;
    this.lease = lease;
    lost =
        Counter.builder("stream.entries.lost")
            .description("Entries that were pending but had been deleted from the stream")
            .tag("stream", stream)
            .register(metrics);
  }

  /// The stream that is read.
  public String stream() {
    return stream;
  }

  /// The name that this consumer has in its group.
  public String consumer() {
    return consumer;
  }

  /// Makes the stream and its group if they are missing, from the first entry on (F22).
  public void prepare() {
    try {
      redis.call(Command.XGROUP, "CREATE", stream, group, "0", "MKSTREAM");
    } catch (RedisException refused) {
      if (refused.isBusyGroup()) return;
      // A full Redis refuses before it checks whether the group exists.
      if (!refused.isOutOfMemory() || !hasGroup()) throw refused;
    }
  }

  private boolean hasGroup() {
    return Redis.list(redis.call(Command.XINFO, "GROUPS", stream)).stream()
        .anyMatch(info -> group.equals(Redis.map(info).get("name")));
  }

  /// Waits up to `wait` for new entries; called by one thread only.
  public List<StreamDelivery> read(int most, Duration wait) {
    try {
      return deliveries(readGroup(most, wait));
    } catch (JedisException broken) {
      close();
      var failed = RedisException.of("reading " + stream, broken);
      if (!prepareAgain(failed)) throw failed;
      return List.of();
    }
  }

  private @Nullable Object readGroup(int most, Duration wait) {
    var open = reader;
    if (open == null) {
      open = redis.connect((int) wait.toMillis() + 5_000);
      reader = open;
    }
    return open.executeCommand(
        redis.command(
            Command.XREADGROUP,
            "GROUP",
            group,
            consumer,
            "COUNT",
            most,
            "BLOCK",
            Math.max(1, wait.toMillis()),
            "STREAMS",
            stream,
            ">"));
  }

  private List<StreamDelivery> deliveries(@Nullable Object reply) {
    var deliveries = new ArrayList<StreamDelivery>();
    for (var perStream : Redis.list(reply)) {
      for (var entry : Redis.list(Redis.list(perStream).get(1))) {
        var pair = Redis.list(entry);
        var held = new Lease(stream, group, consumer, Redis.text(pair.get(0)), 1);
        deliveries.add(new StreamDelivery(held, Redis.rawMap(pair.get(1))));
      }
    }
    return deliveries;
  }

  /// Takes over up to `most` entries whose lease ran out.
  public List<StreamDelivery> reclaim(int most) {
    var taken = new ArrayList<StreamDelivery>();
    var from = "0-0";
    do {
      // One call checks a bounded number of pending entries: continue where it stopped.
      from = reclaim(taken, most - taken.size(), from);
    } while (taken.size() < most && !from.equals("0-0"));
    return taken;
  }

  private String reclaim(List<StreamDelivery> taken, int most, String from) {
    var arguments = List.of(group, consumer, lease.toMillis(), most, from);
    var reply = Redis.list(redis.run(RECLAIM, List.of(stream), arguments));
    for (var entry : Redis.list(reply.get(0))) {
      var parts = Redis.list(entry);
      var attempt = ((Long) parts.get(1)).intValue();
      var held = new Lease(stream, group, consumer, Redis.text(parts.get(0)), attempt);
      taken.add(new StreamDelivery(held, Redis.rawMap(parts.get(2))));
    }
    var gone = Redis.list(reply.get(1));
    if (!gone.isEmpty()) {
      lost.increment(gone.size());
      log.error("{} entries of {} were deleted while pending", gone.size(), stream);
    }
    return Redis.text(reply.get(2));
  }

  /// Renews leases.
  ///
  /// @return those that are no longer ours
  public List<Lease> renew(List<Lease> leases) {
    if (leases.isEmpty()) return List.of();
    var arguments = new ArrayList<Object>(List.of(group, consumer));
    for (var each : leases) arguments.addAll(List.of(each.entry(), each.attempt()));
    var held = Redis.list(run(RENEW, arguments));
    return IntStream.range(0, leases.size())
        .filter(i -> !Objects.equals(held.get(i), 1L))
        .mapToObj(leases::get)
        .toList();
  }

  /// Announces that this consumer is alive; Redis itself knows only when it last read.
  ///
  /// @param tasks that it does, a comma before and behind each; empty for all
  public void announce(String tasks) {
    var some =
        run(ANNOUNCE, List.of(consumer, CONSUMER_TTL.toMillis(), tasks, TASK_TTL.toMillis()));
    mixed = !Long.valueOf(0).equals(some);
  }

  /// Whether a consumer is alive that does not do all tasks.
  public boolean isMixed() {
    return mixed;
  }

  /// Expires the leases of this consumer, so that others need not wait for them, and removes it
  /// from the group.
  public void leave() {
    run(LEAVE, List.of(group, consumer, lease.toMillis() + 1));
  }

  /// Drops entries that every group has acknowledged.
  public Trimmed trim() {
    var reply = Redis.list(run(TRIM, List.of(group, FORGET_CONSUMER_AFTER.toMillis())));
    return new Trimmed((Long) reply.get(0), (Long) reply.get(1), Redis.text(reply.get(2)));
  }

  // Scripts check as well, because nothing is read while every slot is taken.
  private @Nullable Object run(Script script, List<?> arguments) {
    try {
      return redis.run(script, List.of(stream), arguments);
    } catch (RedisException failed) {
      prepareAgain(failed);
      throw failed;
    }
  }

  private boolean prepareAgain(RedisException failed) {
    if (!failed.isNoGroup()) return false;
    log.warn("group {} of {} was gone and is made again", group, stream);
    prepare();
    return true;
  }

  @Override
  public void close() {
    var open = reader;
    reader = null;
    Redis.disconnect(open);
  }
}
