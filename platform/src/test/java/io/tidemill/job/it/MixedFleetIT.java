package io.tidemill.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobsConfig;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.TestWorker;
import io.tidemill.support.Wiring;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Workers that do not do the same tasks (`worker.tasks`): what one can't do, another gets.
class MixedFleetIT {
  private static JobPlatform platform;
  private static Resp redis;
  private final List<TestWorker> workers = new ArrayList<>();

  @BeforeAll
  static void start() {
    platform =
        JobPlatform.redis(
            "worker.lease=5m", "worker.slots=4", "worker.max-deliveries=1", "jobs.window=4");
    redis = platform.resp();
    platform.gateway();
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  @AfterEach
  void empty() {
    workers.forEach(platform::stop);
    redis.call("FLUSHALL");
  }

  private TestWorker worker(String... settings) {
    workers.add(platform.worker(settings));
    return workers.getLast();
  }

  @Test
  void aWorkerHandsOnWhatAnotherDoes() {
    var picky = worker("worker.tasks=chat,plan");
    var able = worker();
    var ids = new ArrayList<String>();
    await()
        .until(() -> {
          ids.add(platform.submit("echo", "{\"n\":" + ids.size() + "}"));
          return picky.deliveries("parked") >= 5;
        });

    for (var id : ids) {
      assertThat(platform.awaitEnd(id).get("status").stringValue()).isEqualTo("done");
      assertThat(redis.types(id)).containsExactly("queued", "running", "done");
    }
    platform.awaitNothingPending();
    await().until(() -> able.deliveries("done") == ids.size()); // counted after Redis knows
    assertThat(redis.number("EXISTS", "jobs:stream:aside")).isZero();
  }

  @Test
  void anEntryThatIsSetAsideCountsNoDeliveriesAndOutlivesItsConsumer() {
    redis.call("XGROUP", "CREATE", "jobs:stream", "workers", "0", "MKSTREAM");
    // Somebody who does everything is alive, and busy.
    redis.call("ZADD", "jobs:stream:consumers", Long.toString(Long.MAX_VALUE / 1024), "busy");
    var picky = worker("worker.tasks=embed");
    var id = platform.submit("echo", "{\"a\":1}");
    for (int i = 1; i <= 2; i++) { // more than there may be deliveries
      var times = i;
      await().until(() -> picky.deliveries("parked") == times);
      platform.leasesRunOut();
    }
    assertThat(redis.types(id)).containsExactly("queued");
    workers.remove(picky);
    platform.stop(picky);

    worker();

    assertThat(platform.awaitEnd(id).get("result").toString()).isEqualTo("{\"a\":1}");
    platform.awaitNothingPending();
    assertThat(redis.types(id)).containsExactly("queued", "running", "done");
  }

  @Test
  void theRemainsOfADeadWorkerDoNotCountAsAWorker() {
    var settings = Wiring.settings(platform.server().address(), List.of());
    try (var own = new Redis(settings.section(RedisConfig.class))) {
      var queue = new JobQueueInspector(own, settings.section(JobsConfig.class));
      worker();
      await().until(() -> queue.inspect().workers().size() == 1);
      var name = queue.inspect().workers().keySet().iterator().next();
      // One of another make comes without a word.
      redis.call("XGROUP", "CREATECONSUMER", "jobs:stream", "workers", "py");
      assertThat(queue.inspect().workers()).containsOnlyKeys(name, "py");

      workers.forEach(platform::stop);
      workers.clear();
      // As after a kill, or when Redis was started again: it counts its idleness from zero.
      redis.call("XGROUP", "CREATECONSUMER", "jobs:stream", "workers", name);

      assertThat(queue.inspect().workers()).containsOnlyKeys("py");
      redis.call("XGROUP", "DELCONSUMER", "jobs:stream", "workers", "py");
      assertThat(queue.inspect().workers()).isEmpty();
    }
  }

  @Test
  void theOnlyWorkerOfATaskMayBeStartedAgain() { // C3.8
    var picky = worker("worker.tasks=chat,plan");
    var only = worker("worker.tasks=tool");
    workers.remove(only);
    platform.stop(only);
    var id = platform.submit("echo", "{\"a\":1}");
    await().until(() -> picky.deliveries("parked") == 1);
    assertThat(redis.types(id)).containsExactly("queued");

    worker("worker.tasks=tool");

    assertThat(platform.awaitEnd(id).get("result").toString()).isEqualTo("{\"a\":1}");
  }

  @Test
  void aTaskWithoutWorkerForMinutesEnds() {
    var picky = worker("worker.tasks=chat,plan");
    redis.call("HSET", "jobs:stream:seen", "tool", now());
    var id = platform.submit("echo", "{}");
    await().until(() -> picky.deliveries("parked") == 1);

    redis.call("HSET", "jobs:stream:seen", "tool", "1");
    platform.leasesRunOut();

    var error = platform.awaitEnd(id).get("error");
    assertThat(error.get("code").stringValue()).isEqualTo("HANDLER_MISSING");
    platform.awaitNothingPending();
  }

  private static String now() {
    return Resp.list(redis.call("TIME")).getFirst() + "000";
  }

  @Test
  void whatCameAnotherWayIsNotAsideAnyMore() {
    var picky = worker("worker.tasks=embed");
    redis.call("HSET", "jobs:stream:seen", "tool", now());
    platform.submit("echo", "{}");
    await().until(() -> redis.number("ZCARD", "jobs:stream:aside:tool") == 1);
    platform.leasesRunOut(); // the same entry takes one place, however often it is laid aside
    await().until(() -> picky.deliveries("parked") == 2);
    assertThat(redis.number("ZCARD", "jobs:stream:aside:tool")).isEqualTo(1);

    var entry = redis.stream("jobs:stream").getFirst().id();
    redis.call("XACK", "jobs:stream", "workers", entry); // somebody else's worker did it

    await().until(() -> redis.number("EXISTS", "jobs:stream:aside") == 0);
    assertThat(redis.number("EXISTS", "jobs:stream:aside:tool")).isZero();
  }

  @Test
  void aTaskThatIsBehindHoldsUpNoOther() { // C3.3
    worker("worker.tasks=embed");
    redis.call("HSET", "jobs:stream:seen", "tool", now());
    for (int i = 0; i < 12; i++) platform.submit("echo", "{}"); // the window is 4
    await().until(() -> redis.number("ZCARD", "jobs:stream:aside:tool") >= 4);

    var other = platform.submitBody("{\"task\":\"embed\",\"payload\":{}}");

    platform.awaitStatus(other, "done", "error");
    assertThat(redis.number("HLEN", "jobs:stream:waiting")).isPositive();
    worker("worker.tasks=tool");
    platform.awaitNothingPending();
    assertThat(redis.number("EXISTS", "jobs:stream:aside")).isZero();
  }

  @Test
  void aTaskWithoutWorkerEndsWithTheSettingsName() {
    worker("worker.tasks=chat,plan,chat,plan,chat,plan"); // six names, and not all tasks
    worker("worker.tasks=embed");

    var id = platform.submit("echo", "{}");

    var error = platform.awaitEnd(id).get("error");
    assertThat(error.get("code").stringValue()).isEqualTo("HANDLER_MISSING");
    assertThat(error.get("message").stringValue()).contains("'tool'", "worker.tasks");
    assertThat(redis.types(id)).containsExactly("queued", "error");
    platform.awaitNothingPending();
  }
}
