package io.tidemill.job;

import io.tidemill.contract.job.JobNames;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import java.time.Duration;
import java.util.Optional;

/// Which job works on which call of a client, while it does: whichever gateway hears that a call is
/// canceled finds the job.
///
/// Every method may throw [RedisException] and may then be repeated.
public final class JobCallStore {
  private final Redis redis;

  public JobCallStore(Redis redis) {
    this.redis = redis;
  }

  /// @param lasts when it is forgotten, whoever forgets to
  public void note(String call, String jobId, Duration lasts) {
    redis.call(RedisCommand.SET, JobNames.call(call), jobId, "PX", lasts.toMillis());
  }

  public Optional<String> job(String call) {
    return Optional.ofNullable(redis.call(RedisCommand.GET, JobNames.call(call))).map(Redis::text);
  }

  public void forget(String call) {
    redis.call(RedisCommand.DEL, JobNames.call(call));
  }
}
