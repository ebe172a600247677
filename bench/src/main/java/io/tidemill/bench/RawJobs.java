package io.tidemill.bench;

import io.tidemill.bench.raw.WireLoad;
import io.tidemill.bench.raw.WireProtocol;
import io.tidemill.contract.job.JobNames;
import io.tidemill.job.JobStore;
import io.tidemill.redis.Script;
import io.tidemill.work.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// What Redis itself can do with our scripts: no gateway, no worker, one command at a time on each
/// connection, as `redis-benchmark` would.
final class RawJobs {
  static final String PAYLOAD = "{\"name\":\"echo\",\"arguments\":{\"hello\":\"world\"}}";

  // All jobs go into the stream at once, since no backlog is released later.
  private static final String WINDOW = "10000000";
  private static final String SHARES =
      "{\"weights\":{},\"limits\":{},\"limits_per_key\":{},\"tasks\":[\"tool\"]}";

  private static final Script SUBMIT =
      Script.load(JobStore.class, "/io/tidemill/job/submit_job.lua");
  private static final Script START = Script.load(JobStore.class, "/io/tidemill/job/start_job.lua");
  private static final Script SETTLE =
      Script.load(JobStore.class, "/io/tidemill/job/settle_jobs.lua");

  private record Taken(Lease lease, String jobId) {}

  private final JobsRig rig;
  private final WireLoad load;

  RawJobs(JobsRig rig, int connections) {
    this.rig = rig;
    load = new WireLoad(rig.redisAddress(), connections);
    for (var script : List.of(SUBMIT, START, SETTLE)) {
      var reply = "$40\r\n" + script.sha() + "\r\n";
      load.perSecond(2, WireProtocol.redis(_ -> List.of("SCRIPT", "LOAD", script.body()), reply));
    }
  }

  /// Jobs submitted a second.
  double submit(int count) {
    var prefix = UUID.randomUUID().toString().substring(0, 28);
    return load.perSecond(
        count,
        WireProtocol.redis(number -> submission(prefix + number), "*1\r\n$7\r\ncreated\r\n"));
  }

  private List<String> submission(String id) {
    return List.of(
        "EVALSHA",
        SUBMIT.sha(),
        "3",
        JobNames.job(id),
        JobNames.events(id),
        rig.jobs().stream(),
        id,
        "tool",
        PAYLOAD,
        "1700000000000",
        "3600",
        "10000000",
        rig.jobs().group(),
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "",
        JobNames.job(""),
        JobNames.STEP_ENQUEUE,
        "default",
        WINDOW,
        SHARES,
        "0");
  }

  /// Jobs started and finished a second; `count` of them wait.
  double drain(int count) {
    var taken = take(count);
    var started =
        load.perSecond(
            count,
            WireProtocol.redis(n -> start(taken.get(n)), "*3\r\n$3\r\nrun\r\n:3600\r\n:1\r\n"));
    var finished =
        load.perSecond(
            count, WireProtocol.redis(n -> finish(taken.get(n)), "*1\r\n$8\r\nfinished\r\n"));
    return 1 / (1 / started + 1 / finished);
  }

  private List<Taken> take(int count) {
    var taken = new ArrayList<Taken>();
    try (var source = rig.source("raw")) {
      while (taken.size() < count) {
        for (var delivery :
            source.read(Math.min(1_000, count - taken.size()), Duration.ofSeconds(1))) {
          var id = delivery.fields().get("job_id");
          taken.add(new Taken(delivery.lease(), io.tidemill.redis.Redis.text(id)));
        }
      }
    }
    return taken;
  }

  private static List<String> start(Taken job) {
    return List.of(
        "EVALSHA",
        START.sha(),
        "3",
        job.lease().stream(),
        JobNames.job(job.jobId()),
        JobNames.events(job.jobId()),
        job.lease().group(),
        job.lease().entry(),
        job.lease().consumer(),
        "1",
        "1700000000001",
        JobNames.STEP_START,
        "3600",
        job.jobId());
  }

  private static List<String> finish(Taken job) {
    return List.of(
        "EVALSHA",
        SETTLE.sha(),
        "5",
        job.lease().stream(),
        JobNames.DEAD,
        JobNames.job(job.jobId()),
        JobNames.events(job.jobId()),
        JobNames.job(job.jobId()),
        job.lease().group(),
        "1700000000002",
        "3600",
        JobNames.job(""),
        WINDOW,
        SHARES,
        "0",
        job.lease().entry(),
        job.lease().consumer(),
        "1",
        "done",
        "done",
        PAYLOAD,
        "",
        "done",
        JobNames.STEP_DONE,
        "{\"result\":" + PAYLOAD + "}",
        "0");
  }
}
