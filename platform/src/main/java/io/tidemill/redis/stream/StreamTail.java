package io.tidemill.redis.stream;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.redis.Redis;
import io.tidemill.service.Service;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Follows any number of streams for any number of readers over a few connections (C3.6).
///
/// A reader pages to the end of the stream by itself and then joins the shared tail. A reader that
/// falls behind leaves the tail and pages again: memory per reader is bounded, and no entry is
/// missed or seen twice.
public final class StreamTail implements Service {
  private final Redis redis;
  private final List<TailShard> shards;

  public StreamTail(Redis redis, int connections, MeterRegistry metrics) {
    this.redis = redis;
    shards = IntStream.range(0, connections).mapToObj(n -> new TailShard(redis, n)).toList();
    Gauge.builder("stream.tail.streams", this, StreamTail::streams)
        .description("Streams that somebody follows")
        .register(metrics);
  }

  @Override
  public String name() {
    return "stream tail";
  }

  @Override
  public void start() {
    shards.forEach(TailShard::start);
  }

  @Override
  public void stop() {
    shards.forEach(TailShard::stop);
  }

  /// Follows a stream from the entry after `afterId`; `0-0` is the beginning.
  public TailReader follow(String stream, String afterId) {
    var shard = shards.get(Math.floorMod(stream.hashCode(), shards.size()));
    return new TailReader(redis, shard, stream, afterId);
  }

  /// The id of the first entry that is still there; empty when there is none.
  public Optional<String> first(String stream) {
    return StreamEntry.firstId(redis, stream);
  }

  private int streams() {
    return shards.stream().mapToInt(TailShard::streams).sum();
  }
}
