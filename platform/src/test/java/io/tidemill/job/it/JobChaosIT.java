package io.tidemill.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.GatewayMain;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.WorkerMain;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Everything is killed again and again while jobs come in: each job that was answered ends once.
///
/// `-Dtidemill.chaos.kills=500` for a longer run, `-Dtidemill.chaos.seed=…` to repeat one.
class JobChaosIT {
  private static final int KILLS = Integer.getInteger("tidemill.chaos.kills", 15);
  private static final long SEED = Long.getLong("tidemill.chaos.seed", System.nanoTime());
  private static final int CLIENTS = 4;
  // So small that most jobs go through the lines of their tenants.
  private static final String WINDOW = "jobs.window=2";
  private static final String LIMITS = "jobs.limits=tool=12";
  private static final Duration BETWEEN_KILLS = Duration.ofMillis(400);

  private final Random random = new Random(SEED);
  private final AtomicInteger names = new AtomicInteger();
  private final List<ChildJvm> workers = new ArrayList<>();
  private final List<ChildJvm> gateways = new ArrayList<>();
  private final List<Integer> ports = new CopyOnWriteArrayList<>();
  private final Map<String, String> answered = new ConcurrentHashMap<>();
  private final AtomicInteger sent = new AtomicInteger();
  private volatile boolean enough;

  @Test
  void everyAcceptedJobEndsOnceDespiteKills() throws Exception { // G4, C3.2, C3.4, C3.8
    try (var platform = JobPlatform.durable()) {
      var url = platform.server().address();
      for (int i = 0; i < 2; i++) {
        workers.add(worker(url));
        gateways.add(gateway(url));
      }
      for (var gateway : gateways) ports.add(Integer.parseInt(gateway.awaitReady()));

      var kills = new TreeMap<String, Integer>();
      try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
        for (int i = 0; i < CLIENTS; i++) {
          var seed = random.nextLong();
          clients.execute(() -> submitUntilEnough(new Random(seed)));
        }
        try {
          for (int i = 0; i < KILLS; i++) kills.merge(killSomething(platform), 1, Integer::sum);
        } finally {
          enough = true;
          for (int n = 0; n < 2; n++) ports.set(n, Integer.parseInt(startedGateway(n, url)));
        }
      }
      check(platform);
      LoggerFactory.getLogger(JobChaosIT.class)
          .warn("seed {}: kills {}, {} jobs, all ended once", SEED, kills, answered.size());
    } finally {
      workers.forEach(ChildJvm::close);
      gateways.forEach(ChildJvm::close);
    }
  }

  private ChildJvm worker(String url) {
    return new ChildJvm(
        WorkerMain.class,
        url,
        "w" + names.incrementAndGet(),
        "worker.lease=500ms",
        "worker.slots=16",
        "worker.max-deliveries=1000",
        WINDOW,
        LIMITS,
        "redis.timeout=1s");
  }

  private ChildJvm gateway(String url) {
    return new ChildJvm(GatewayMain.class, url, WINDOW, LIMITS, "redis.timeout=1s");
  }

  private String killSomething(JobPlatform platform) throws IOException {
    LockSupport.parkNanos(BETWEEN_KILLS.toNanos());
    var url = platform.server().address();
    var n = random.nextInt(2);
    var dice = random.nextInt(10);
    if (dice < 3 && isAlive(platform.server().pid())) {
      ChildJvm.signal(platform.server().pid(), "KILL");
      return "redis";
    }
    if (dice < 7) {
      killWorker(n, url);
      return "worker";
    }
    ports.set(n, Integer.parseInt(startedGateway(n, url)));
    gateways.get(n).kill();
    var next = gateway(url);
    gateways.set(n, next);
    Thread.ofVirtual().start(() -> ports.set(n, Integer.parseInt(next.awaitReady())));
    return "gateway";
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  // A worker that is still starting has nothing to lose: give it the time to take jobs.
  private void killWorker(int n, String url) {
    try {
      workers.get(n).awaitReady();
    } catch (AssertionError ended) {
      // It found no Redis.
    }
    workers.get(n).kill();
    workers.set(n, worker(url));
  }

  // A gateway that finds no Redis gives up; whoever runs it starts it again.
  private String startedGateway(int n, String url) {
    while (true) {
      try {
        return gateways.get(n).awaitReady();
      } catch (AssertionError ended) {
        gateways.set(n, gateway(url));
      }
    }
  }

  private void submitUntilEnough(Random own) {
    try (var http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build()) {
      while (!enough) {
        submit(http, own, "key-" + sent.incrementAndGet());
        LockSupport.parkNanos(Duration.ofMillis(own.nextInt(20)).toNanos());
      }
    }
  }

  // A client that never learns what became of its post sends it again with the same key.
  private void submit(HttpClient http, Random own, String key) {
    var body = body(own);
    while (true) {
      try {
        var uri = URI.create("http://localhost:" + ports.get(own.nextInt(2)) + "/v1/jobs");
        var request =
            HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(6))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .header("X-Tenant", "tenant-" + own.nextInt(3))
                .POST(BodyPublishers.ofString(body))
                .build();
        var answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() == 202) {
          answered.put(key, Json.parse(answer.body()).get("job_id").stringValue());
          return;
        }
        assertThat(answer.statusCode()).as(answer.body()).isIn(429, 503);
      } catch (IOException cut) {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static String body(Random own) {
    var call =
        switch (own.nextInt(3)) {
          case 0 -> "{\"name\":\"echo\"}";
          case 1 -> "{\"name\":\"sleep\",\"arguments\":{\"ms\":" + own.nextInt(300) + "}}";
          default -> "{\"name\":\"emit\",\"arguments\":{\"n\":5,\"every_ms\":5}}";
        };
    return "{\"task\":\"tool\",\"payload\":" + call + "}";
  }

  private void check(JobPlatform platform) {
    // Whatever could not start without Redis is started by its operator.
    for (int n = 0; n < workers.size(); n++) {
      if (!workers.get(n).isAlive()) workers.set(n, worker(platform.server().address()));
    }
    await().atMost(Duration.ofMinutes(3)).ignoreExceptions().until(() -> platform.pending() == 0);
    try (var redis = new Resp(platform.server().port())) {
      var wrong = new ArrayList<String>();
      answered.forEach((key, id) -> {
        var status = redis.hash("job:" + id).get("status");
        if (redis.ends(id) != 1 || !"done".equals(status)) {
          wrong.add(key + " " + id + " " + status + " " + redis.types(id));
        }
      });
      assertThat(wrong).as("seed %s", SEED).isEmpty();
      assertThat(answered).as("seed %s: every post was answered", SEED).hasSize(sent.get());
      assertThat(answered.values()).as("seed %s", SEED).doesNotHaveDuplicates();
      // A hash, its events and a key for each; the queue, the list of jobs, what changed and how
      // often, who works on it, who ever did, what they do and their tools: no other job.
      assertThat(redis.number("DBSIZE")).as("seed %s", SEED).isEqualTo(3L * answered.size() + 8);
    }
  }
}
