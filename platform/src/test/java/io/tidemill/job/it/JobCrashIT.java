package io.tidemill.job.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.FaultProxy;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A worker killed at every step of a job, or put to sleep beyond its lease (C3.8, F19, F24, F25).
class JobCrashIT {
  // So long that a slow machine does not end it: the tests let it run out.
  private static final String LEASE = "worker.lease=5m";

  /// Where the worker is killed: before Redis sees a script, or before the answer comes back.
  enum Step {
    DELIVERED("worker.start", false, 1),
    STARTED("worker.start", true, 2),
    REPORTING("worker.tool", false, 2),
    REPORTED("worker.tool", true, 2),
    HANDLED("worker.done", false, 2),
    FINISHED("worker.done", true, 1);

    final String script;
    final boolean afterEffect;
    final int runs;

    Step(String script, boolean afterEffect, int runs) {
      this.script = script;
      this.afterEffect = afterEffect;
      this.runs = runs;
    }
  }

  private static JobPlatform platform;
  private static Resp redis;

  @BeforeAll
  static void start() {
    platform = JobPlatform.redis(LEASE, "worker.max-deliveries=3");
    redis = platform.resp();
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  private static ChildJvm child(String redisUrl, String name, String... more) {
    var arguments = new ArrayList<>(List.of(redisUrl, name, LEASE));
    arguments.addAll(List.of(more));
    return new ChildJvm(WorkerMain.class, arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void aWorkerKilledAtAnyStepLosesNothingAndDoublesNothing(Step step) throws Exception { // G4
    var there = new CountDownLatch(1);
    try (var proxy = new FaultProxy(platform.server().port());
        var child = child(proxy.redisUrl(), "doomed-" + step)) {
      child.awaitReady();
      var asked = new java.util.concurrent.atomic.AtomicBoolean();
      proxy.breakWith((_, fromClient, piece) -> {
        var text = new String(piece, ISO_8859_1);
        if (there.getCount() == 0) return false; // nothing more leaves or reaches the doomed
        if (fromClient && text.contains(step.script)) {
          if (!step.afterEffect) there.countDown();
          asked.set(true);
          return step.afterEffect;
        }
        if (fromClient || !asked.get() || text.startsWith("-NOSCRIPT")) return true;
        // Other commands share the connections; the answers of scripts are arrays of text.
        if (!text.contains("\r\nrun\r\n")
            && !text.contains("appended")
            && !text.contains("finished")) {
          return true;
        }
        there.countDown();
        return false;
      });
      var id = platform.submit("emit", "{\"n\":1}");
      assertThat(there.await(1, TimeUnit.MINUTES)).isTrue();
      child.kill();

      platform.leasesRunOut();
      var rescuer = platform.worker();
      platform.awaitEnd(id);
      platform.awaitNothingPending();
      platform.stop(rescuer);

      assertThat(redis.types(id)).startsWith("queued", "running").endsWith("done");
      assertThat(redis.types(id)).filteredOn("running"::equals).hasSize(step.runs);
      assertThat(redis.ends(id)).isEqualTo(1);
      assertThat(redis.hash("job:" + id))
          .containsEntry("status", "done")
          .containsEntry("result", "1");
    }
  }

  @Test
  void aWorkerKilledInsideItsHandlerIsReplaced(@TempDir Path dir) throws Exception { // C3.8
    try (var child = child(platform.server().address(), "inside")) {
      child.awaitReady();
      var id = platform.submit("gate", gate(dir, false));
      await().until(() -> Files.exists(dir.resolve("in")));

      child.kill();
      Files.createFile(dir.resolve("go"));
      platform.leasesRunOut();
      var rescuer = platform.worker();

      assertThat(platform.awaitEnd(id).get("result").intValue()).isEqualTo(2);
      platform.awaitNothingPending();
      platform.stop(rescuer);
      assertThat(redis.types(id)).containsExactly("queued", "running", "running", "done");
    }
  }

  @Test
  void aJobThatKillsItsWorkerEndsAmongTheDead(@TempDir Path dir) { // F25
    var id = platform.submit("gate", gate(dir, true));
    var deaths = 0;
    while (redis.ends(id) == 0) {
      try (var child =
          child(platform.server().address(), "victim-" + deaths, "worker.max-deliveries=2")) {
        await().until(() -> !child.isAlive() || redis.ends(id) == 1);
        if (!child.isAlive()) deaths++;
      }
      platform.leasesRunOut();
    }

    assertThat(deaths).isEqualTo(2);
    assertThat(redis.types(id)).containsExactly("queued", "running", "running", "error");
    assertThat(redis.hash("job:" + id).get("error")).contains("DELIVERY_LIMIT");
    assertThat(redis.stream("jobs:dead"))
        .anySatisfy(dead -> assertThat(dead.fields()).containsEntry("job_id", id));
  }

  @Test
  void aWorkerThatSleptBeyondItsLeaseWritesNothing(@TempDir Path dir) throws Exception { // F24
    try (var sleeper = child(platform.server().address(), "sleeper", "worker.slots=1")) {
      sleeper.awaitReady();
      var id = platform.submit("gate", gate(dir, false));
      await().until(() -> Files.exists(dir.resolve("in")));
      sleeper.signal("STOP");

      platform.leasesRunOut();
      var second = platform.worker();
      await().until(() -> Files.readAllLines(dir.resolve("in")).size() == 2);
      Files.createFile(dir.resolve("go"));
      platform.awaitEnd(id);
      platform.awaitNothingPending();
      platform.stop(second);
      var hash = redis.hash("job:" + id);
      var events = redis.stream("job:" + id + ":events");

      sleeper.signal("CONT");
      // Its only slot is free again once it has tried to end the job.
      platform.awaitEnd(platform.submit("echo", "{}"));

      assertThat(redis.stream("job:" + id + ":events")).isEqualTo(events);
      assertThat(redis.hash("job:" + id)).isEqualTo(hash).containsEntry("result", "2");
      assertThat(redis.ends(id)).isEqualTo(1);
    }
  }

  @Test
  void aWorkerThatWakesWhileAnotherHasItsJobCanNotEndIt(@TempDir Path dir)
      throws Exception { // C3.8
    try (var sleeper = child(platform.server().address(), "waker", "worker.slots=1")) {
      sleeper.awaitReady();
      var id = platform.submit("gate", gate(dir, false).replace("}", ",\"log\":true}"));
      await().until(() -> Files.exists(dir.resolve("in")));
      sleeper.signal("STOP");
      platform.leasesRunOut();
      var second = platform.worker("worker.slots=1");
      await().until(() -> Files.readAllLines(dir.resolve("in")).size() == 2);

      Files.createFile(dir.resolve("go-1"));
      sleeper.signal("CONT");
      // The second one's only slot is taken: this is done by the first, after it tried to end the
      // job.
      platform.awaitEnd(platform.submit("echo", "{}"));

      assertThat(redis.types(id)).containsExactly("queued", "running", "running");
      assertThat(redis.hash("job:" + id))
          .containsEntry("status", "running")
          .containsEntry("result", "");
      Files.createFile(dir.resolve("go-2"));
      assertThat(platform.awaitEnd(id).get("result").intValue()).isEqualTo(2);
      assertThat(redis.types(id)).containsExactly("queued", "running", "running", "log", "done");
      platform.stop(second);
    }
  }

  private static String gate(Path dir, boolean halt) {
    return Json.object()
        .put("entered", dir.resolve("in").toString())
        .put("go", dir.resolve("go").toString())
        .put("halt", halt)
        .toString();
  }

  @Test
  void aRedisThatIsKilledLosesNothingThatWasAnswered() throws IOException { // F26
    try (var own = JobPlatform.durable("worker.lease=1500ms")) {
      own.gateway();
      own.worker();
      var ids = new ArrayList<String>();
      for (int i = 0; i < 20; i++) ids.add(own.submit("sleep", "{\"ms\":200}"));

      ChildJvm.signal(own.server().pid(), "KILL");

      await().ignoreExceptions().until(() -> "done".equals(own.status(ids.getLast())));
      for (var id : ids) own.awaitEnd(id);
      try (var fresh = new Resp(own.server().port())) {
        for (var id : ids) assertThat(fresh.ends(id)).isEqualTo(1);
      }
      own.awaitNothingPending();
    }
  }
}
