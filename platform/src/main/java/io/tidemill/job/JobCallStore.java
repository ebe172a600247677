package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import java.time.Duration;
import java.util.Optional;

/// The jobs of tool calls in flight: any gateway that hears of a cancel finds the job.
///
/// Every method may throw [RedisException] and may then be repeated.
public final class JobCallStore {
  private final Redis redis;

  public JobCallStore(Redis redis) {
    this.redis = redis;
  }

  /// @param ttl when it expires
  public void put(String call, String jobId, Duration ttl) {
    redis.call(RedisCommand.SET, JobNames.call(call), jobId, "PX", ttl.toMillis());
  }

  public Optional<String> job(String call) {
    return Optional.ofNullable(redis.call(RedisCommand.GET, JobNames.call(call))).map(Redis::text);
  }

  public void remove(String call) {
    redis.call(RedisCommand.DEL, JobNames.call(call));
  }
}
