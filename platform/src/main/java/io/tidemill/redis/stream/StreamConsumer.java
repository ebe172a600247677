package io.tidemill.redis.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.Script;
import io.tidemill.work.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/// A Redis stream as one consumer of one group sees it: entries come with a lease that must be
/// renewed, leases of the dead are taken over, and nothing that any group still needs is dropped.
public final class StreamConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StreamConsumer.class);

  private static final Script RECLAIM = Script.load(StreamConsumer.class, "reclaim_expired.lua");
  private static final Script RENEW = Script.load(StreamConsumer.class, "renew_leases.lua");
  private static final Script BEAT = Script.load(StreamConsumer.class, "announce_consumer.lua");
  private static final Script LEAVE = Script.load(StreamConsumer.class, "remove_consumer.lua");
  private static final Script TRIM = Script.load(StreamConsumer.class, "trim_settled.lua");

  /// How long a beat counts.
  public static final Duration BEAT_LASTS = Duration.ofSeconds(15);

  /// How long a task counts as done by somebody after the last beat that named it: a worker that is
  /// started again, or that died and is replaced, finds its jobs.
  public static final Duration TASK_LASTS = Duration.ofMinutes(5);

  private static final Duration FORGET_CONSUMER_AFTER = Duration.ofHours(1);

  private final Redis redis;
  private final String stream;
  private final String group;
  private final String consumer;
  private final Duration lease;
  private final Counter lost;
  private volatile @Nullable Connection reader;
  private volatile boolean mixed;

  /// How a trim went.
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
      if (String.valueOf(refused.getMessage()).contains("BUSYGROUP")) return;
      // A full Redis refuses before it looks: the group may well be there.
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
    } catch (JedisException failed) {
      disconnect();
      if (String.valueOf(failed.getMessage()).startsWith("NOGROUP")) {
        log.warn("group {} of {} was gone and is made again", group, stream);
        prepare();
        return List.of();
      }
      throw new StreamException("reading " + stream + ": " + failed.getMessage(), failed);
    }
  }

  private @Nullable Object readGroup(int most, Duration wait) {
    var open = reader;
    if (open == null) {
      open = redis.connect((int) wait.toMillis() + 5_000);
      reader = open;
    }
    return open.executeCommand(
        new CommandArguments(Command.XREADGROUP)
            .add("GROUP")
            .add(group)
            .add(consumer)
            .add("COUNT")
            .add(most)
            .add("BLOCK")
            .add(Math.max(1, wait.toMillis()))
            .add("STREAMS")
            .add(stream)
            .add(">"));
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
      // Redis looks at a bounded piece of the pending entries a call: go on where it stopped.
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
      log.error("{} entries of {} were deleted by somebody while pending", gone.size(), stream);
    }
    return Redis.text(reply.get(2));
  }

  /// Renews leases.
  ///
  /// @return those that are no longer ours
  public List<Lease> renew(List<Lease> leases) {
    if (leases.isEmpty()) return List.of();
    var held = Redis.list(run(RENEW, arguments(leases)));
    var gone = new ArrayList<Lease>();
    for (int i = 0; i < leases.size(); i++) {
      if (!Objects.equals(held.get(i), 1L)) gone.add(leases.get(i));
    }
    return gone;
  }

  /// Says that this consumer is alive: Redis' own books tell only when it last got something.
  ///
  /// @param tasks what it does, for those who hand entries on; empty for everything
  public void beat(String tasks) {
    var some = run(BEAT, List.of(consumer, BEAT_LASTS.toMillis(), tasks, TASK_LASTS.toMillis()));
    mixed = !Long.valueOf(0).equals(some);
  }

  /// Whether any consumer that is alive said that it does not do everything.
  public boolean isMixed() {
    return mixed;
  }

  /// Hands on whatever is still pending for this consumer, so that others need not wait for its
  /// leases to run out, and takes it out of the books.
  public void leave() {
    run(LEAVE, List.of(group, consumer, lease.toMillis() + 1));
  }

  /// Drops what every group has acknowledged.
  public Trimmed trim() {
    var reply = Redis.list(run(TRIM, List.of(group, FORGET_CONSUMER_AFTER.toMillis())));
    return new Trimmed((Long) reply.get(0), (Long) reply.get(1), Redis.text(reply.get(2)));
  }

  // Not only the reader may find the group gone: it does not read while every slot is taken.
  private @Nullable Object run(Script script, List<?> arguments) {
    try {
      return redis.run(script, List.of(stream), arguments);
    } catch (RedisException failed) {
      if (String.valueOf(failed.getMessage()).contains("NOGROUP")) {
        log.warn("group {} of {} was gone and is made again", group, stream);
        prepare();
      }
      throw failed;
    }
  }

  private List<Object> arguments(Collection<Lease> leases) {
    var arguments = new ArrayList<Object>(List.of(group, consumer));
    for (var held : leases) {
      arguments.add(held.entry());
      arguments.add(held.attempt());
    }
    return arguments;
  }

  private void disconnect() {
    var open = reader;
    reader = null;
    Redis.disconnect(open);
  }

  @Override
  public void close() {
    disconnect();
  }
}
