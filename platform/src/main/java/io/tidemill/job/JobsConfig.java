package io.tidemill.job;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.job.JobNames;
import java.time.Duration;
import java.util.List;

/// What gateway and workers agree on about jobs, read from keys `jobs.*`.
@Section("jobs")
public record JobsConfig(
    @Setting(
            value = "3600",
            env = "JOB_TTL_S",
            doc =
                "Seconds that a job is kept after its last change, when the client names none; one that nobody has started by then fails as EXPIRED.")
        int ttlS,
    @Setting(value = "200KiB", doc = "The largest payload of a job, as compact JSON.")
        ByteSize maxPayload,
    @Setting(
            value = "10000",
            doc = "Jobs that may wait or run at once; above it POST /v1/jobs answers 429.")
        int maxWaiting,
    @Setting(
            value = "0.8",
            doc = "Share of Redis' maxmemory above which POST /v1/jobs answers 429.")
        double maxMemory,
    @Setting(value = "15s", doc = "Time between two heartbeat comments on a job's event stream.")
        Duration heartbeat,
    @Setting(
            value = "128",
            doc =
                "Jobs that wait in the queue itself; more wait in line, from which tenants take turns.")
        int window,
    @Setting(
            value = "",
            doc =
                "How many jobs a tenant may send in one turn, as `gold=5,free=1`; tenants not named send 1.")
        List<String> weights,
    @Setting(
            value = "",
            doc =
                "Most jobs of a task that are under way at once over all workers, as `chat=4,embed=8`.")
        List<String> limits,
    @Setting(value = "", doc = "The same for each tenant by itself.") List<String> limitsPerKey,
    @Setting(
            value = "false",
            doc =
                "Whether the header X-Tenant counts where API keys are required: holders of a key then get a turn for each name they make up.")
        boolean trustTenant,
    @Setting(value = "jobs:stream", doc = "The queue's key.") String stream,
    @Setting(value = "workers", doc = "The consumer group of the workers.") String group) {
  public JobsConfig {
    weights = List.copyOf(weights);
    limits = List.copyOf(limits);
    limitsPerKey = List.copyOf(limitsPerKey);
    if (window < 1) {
      throw new IllegalArgumentException("jobs.window is " + window + ": expected at least 1");
    }
    var _ = new FairShare(weights, limits, limitsPerKey);
    if (ttlS < 1 || ttlS > JobCodec.MAX_TTL_SECONDS) {
      throw new IllegalArgumentException(
          "jobs.ttl-s is " + ttlS + ": expected 1 to " + JobCodec.MAX_TTL_SECONDS);
    }
    if (maxWaiting < 1) {
      throw new IllegalArgumentException(
          "jobs.max-waiting is " + maxWaiting + ": expected at least 1");
    }
    if (!(maxMemory > 0 && maxMemory <= 1)) {
      throw new IllegalArgumentException(
          "jobs.max-memory is " + maxMemory + ": expected more than 0, at most 1");
    }
    if (heartbeat.toMillis() < 1) {
      throw new IllegalArgumentException(
          "jobs.heartbeat is " + heartbeat + ": expected more than 0");
    }
    if (stream.isBlank())
      throw new IllegalArgumentException("jobs.stream is empty: expected a key");
    if (group.isBlank()) throw new IllegalArgumentException("jobs.group is empty: expected a name");
  }

  /// The names of the queue (G6).
  public JobNames names() {
    return new JobNames(stream, group);
  }

  /// How tenants share the queue.
  FairShare shares() {
    return new FairShare(weights, limits, limitsPerKey);
  }
}
