package io.tidemill.job.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.redis.RedisException;
import io.tidemill.support.FaultProxy;
import io.tidemill.support.FaultProxy.Fault;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.TestGateway;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Redis did what it was told, and the answer never came: nothing may happen twice (F28).
class JobLostReplyIT {
  /// What happens to the connection right after Redis has run the script.
  enum Cut {
    FIN,
    RESET,
    SWALLOW,
    HALF
  }

  private JobPlatform platform;
  private FaultProxy proxy;
  private Resp redis;

  @BeforeEach
  void start() {
    platform = JobPlatform.redis();
    redis = platform.resp();
    proxy = new FaultProxy(platform.server().port());
  }

  @AfterEach
  void stop() throws Exception {
    platform.close();
    proxy.close();
  }

  // A role that starts does not wait as patiently as one that runs, and starting is not the matter.
  private void worker(String... settings) {
    await()
        .ignoreException(RedisException.class)
        .until(() -> platform.workerAt(proxy.redisUrl(), settings), Objects::nonNull);
  }

  private TestGateway gateway(String... settings) {
    return await()
        .ignoreException(RedisException.class)
        .until(() -> new TestGateway(proxy.redisUrl(), settings), Objects::nonNull);
  }

  /// Cuts the connection that carries the answer to the command which holds `marker`, `times` over
  /// and no more: a slow Redis lets the client ask again while an answer is on its way.
  ///
  /// A script's first command holds its hash; on NOSCRIPT the whole text follows, and counts too.
  private AtomicInteger cutAnswersTo(String marker, Cut how, int times) {
    var cuts = new AtomicInteger();
    Map<FaultProxy.Wire, Boolean> marked = new ConcurrentHashMap<>();
    Fault fault =
        (wire, fromClient, piece) -> {
          var text = new String(piece, ISO_8859_1);
          if (fromClient) {
            if (text.contains(marker) && cuts.get() < times) marked.put(wire, true);
            return true;
          }
          if (text.startsWith("-NOSCRIPT") || marked.remove(wire) == null) return true;
          if (cuts.getAndUpdate(cut -> Math.min(cut + 1, times)) >= times) return true;
          switch (how) {
            case FIN -> wire.fin();
            case RESET -> wire.reset();
            case SWALLOW -> {} // the client waits until it gives up
            case HALF -> {
              wire.client().getOutputStream().write(piece, 0, piece.length / 2);
              wire.client().getOutputStream().flush();
              wire.fin();
            }
          }
          return false;
        };
    proxy.breakWith(fault);
    return cuts;
  }

  @ParameterizedTest
  @EnumSource(Cut.class)
  void aPostWhoseAnswerFromRedisIsLostMakesOneJob(Cut how) throws Exception { // C3.2
    try (var gateway = gateway("redis.timeout=300ms")) {
      var cuts = cutAnswersTo("gateway-cut", how, 3);
      var body = "{\"task\":\"chat\",\"payload\":{\"a\":\"gateway-cut\"}}";

      var answer = post(gateway, body);

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
      assertThat(cuts.get()).isEqualTo(3);
      var id = Json.parse(answer.body()).get("job_id").stringValue();
      assertThat(redis.number("XLEN", "jobs:stream")).isEqualTo(1);
      assertThat(redis.stream("jobs:stream").getFirst().fields()).containsEntry("job_id", id);
      assertThat(redis.types(id)).containsExactly("queued");
      assertThat(Resp.list(redis.call("KEYS", "job:*"))).hasSize(2);
    }
  }

  private static java.net.http.HttpResponse<String> post(TestGateway gateway, String body)
      throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://localhost:" + gateway.port() + "/v1/jobs"))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }
  }

  @ParameterizedTest
  @EnumSource(Cut.class)
  void aStartWhoseAnswerIsLostRunsTheJobOnce(Cut how) { // C3.7
    worker("worker.lease=1m", "redis.timeout=300ms");
    var cuts = cutAnswersTo("worker.start", how, 2);
    var id = platform.submit("echo", "{\"a\":1}");

    platform.awaitEnd(id);
    platform.awaitNothingPending();

    assertThat(cuts.get()).isEqualTo(2);
    assertThat(redis.types(id)).containsExactly("queued", "running", "done");
  }

  @ParameterizedTest
  @EnumSource(Cut.class)
  void aFinishWhoseAnswerIsLostEndsTheJobOnce(Cut how) { // C3.7
    worker("worker.lease=1m", "redis.timeout=300ms");
    var cuts = cutAnswersTo("worker.done", how, 2);
    var id = platform.submit("echo", "{\"a\":1}");

    platform.awaitEnd(id);
    platform.awaitNothingPending();
    await().until(() -> cuts.get() == 2);

    assertThat(platform.awaitEnd(platform.submit("echo", "{}")).get("status").stringValue())
        .isEqualTo("done");
    assertThat(redis.types(id)).containsExactly("queued", "running", "done");
  }

  @Test
  void aDeliveryWhoseAnswerIsLostIsTakenUpAgain() { // C3.8
    worker("worker.lease=500ms", "redis.timeout=300ms", "worker.max-deliveries=100");
    var cuts = cutReadsThatCarryJobs();
    var id = platform.submit("echo", "{\"a\":1}");

    assertThat(platform.awaitEnd(id).get("status").stringValue()).isEqualTo("done");
    platform.awaitNothingPending();
    assertThat(cuts.get()).isPositive();
    assertThat(redis.ends(id)).isEqualTo(1);
  }

  private AtomicInteger cutReadsThatCarryJobs() {
    var cuts = new AtomicInteger();
    proxy.breakWith((wire, fromClient, piece) -> {
      var carries = !fromClient && new String(piece, ISO_8859_1).contains("traceparent");
      if (!carries || cuts.getAndIncrement() > 0) return true;
      wire.reset();
      return false;
    });
    return cuts;
  }

  @Test
  void aRedisThatHiccupsWhileAHandlerReportsDoesNotFailTheJob() throws Exception { // G3: transient
    worker("worker.lease=500ms", "redis.timeout=300ms", "worker.max-deliveries=100");
    var id = platform.submit("emit", "{\"n\":100,\"every_ms\":10}");
    await().until(() -> redis.types(id).contains("log"));

    proxy.resetAll();

    var job = platform.awaitEnd(id);
    assertThat(job.get("status").stringValue()).as(job.toString()).isEqualTo("done");
    assertThat(redis.ends(id)).isEqualTo(1);
  }

  @Test
  void nothingIsDoubledWhileConnectionsBreakAtRandom() throws Exception { // F28
    worker("worker.lease=1s", "redis.timeout=500ms", "worker.max-deliveries=100");
    var random = new java.util.Random(7);
    try (var gateway = gateway("redis.timeout=500ms")) {
      proxy.breakWith((wire, _, piece) -> {
        if (random.nextInt(60) > 0) return true;
        if (random.nextBoolean()) wire.reset();
        else wire.fin();
        return piece.length == 0;
      });
      Set<String> ids = ConcurrentHashMap.newKeySet();
      try (var threads = Executors.newFixedThreadPool(8)) {
        for (int i = 0; i < 150; i++) threads.execute(() -> postTo(gateway, ids));
      }
      proxy.breakWith(FaultProxy.NONE);

      assertThat(ids).hasSizeGreaterThan(100);
      await().until(() -> ids.stream().allMatch(id -> redis.ends(id) == 1));
      platform.awaitNothingPending();
      for (var id : ids) assertThat(redis.types(id)).endsWith("done").contains("running");
      for (var id : ids) assertThat(redis.ends(id)).isEqualTo(1);
    }
  }

  private static void postTo(TestGateway gateway, Set<String> ids) {
    try {
      var answer = post(gateway, "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"}}");
      if (answer.statusCode() == 202) {
        ids.add(Json.parse(answer.body()).get("job_id").stringValue());
      }
    } catch (Exception unanswered) {
      // Only what was answered counts.
    }
  }
}
