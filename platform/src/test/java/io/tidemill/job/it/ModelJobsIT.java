package io.tidemill.job.it;

import static io.tidemill.support.FakeLlm.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.FakeLlm;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.SseClient;
import io.tidemill.support.WorkerMain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Jobs that a language model does, from the client to the model and back (C3.11, C3.12, F33).
class ModelJobsIT {
  private static final FakeLlm model = new FakeLlm();
  // So long that a slow machine does not end it: the test lets it run out.
  private static final String LEASE = "worker.lease=5m";
  private static final String URL = "llm.url=" + model.url();
  private static final String CHAT = "{\"task\":\"chat\",\"payload\":{\"prompt\":\"Hello?\"}}";

  private static JobPlatform platform;
  private static Resp redis;

  @BeforeAll
  static void start() {
    platform = JobPlatform.redis(LEASE, URL, "llm.model=small", "llm.retry-pause=1ms");
    platform.gateway();
    redis = platform.resp();
  }

  @AfterAll
  static void stop() {
    platform.close();
    model.close();
  }

  @BeforeEach
  void forget() {
    model.reset();
  }

  private static SseClient follow(String id, String lastEventId) throws IOException {
    return new SseClient(platform.gateway().port(), "/v1/jobs/" + id + "/events", lastEventId);
  }

  /// Attempt, try and text of every token event.
  private static List<String> tokensOf(String id) {
    return redis.stream("job:" + id + ":events").stream()
        .filter(entry -> "token".equals(entry.fields().get("type")))
        .map(entry -> Json.parse(entry.fields().get("data")))
        .map(data ->
            "%d.%d %s"
                .formatted(
                    data.get("attempt").intValue(),
                    data.get("try").intValue(),
                    data.get("text").stringValue()))
        .toList();
  }

  @Test
  void tokensArriveAsTheyComeAndOnceForAReaderThatResumes() throws Exception { // C3.6, C3.11
    var worker = platform.worker();
    var go = new Semaphore(0);
    var words = List.of("one ", "two ", "thrée ", "🌊");
    model.then(call -> {
      call.head("text/event-stream");
      for (var word : words) {
        go.acquire();
        call.token(word);
      }
      go.acquire();
      call.finish("stop");
    });
    var id = platform.submitBody(CHAT);
    var seen = new ArrayList<SseClient.Event>();
    try (var reader = follow(id, null)) {
      for (var word : words) {
        go.release(); // the next one is not written before this one was seen
        var event = next(reader, "token");
        assertThat(Json.parse(event.data()).at("/data/text").stringValue()).isEqualTo(word);
        seen.add(event);
      }
      go.release();
      seen.add(next(reader, "done"));
    }
    var result = platform.awaitEnd(id).get("result");
    assertThat(result.get("text").stringValue()).isEqualTo(String.join("", words));
    assertThat(result.at("/usage/total_tokens").intValue()).isEqualTo(11);

    for (int i = 0; i < seen.size() - 1; i++) {
      try (var reader = follow(id, seen.get(i).id())) {
        assertThat(reader.next().type()).isEqualTo("hello");
        assertThat(reader.rest()).isEqualTo(seen.subList(i + 1, seen.size()));
      }
    }
    platform.stop(worker);
  }

  private static SseClient.Event next(SseClient reader, String type) throws IOException {
    var event = reader.next();
    while (event != null && !event.type().equals(type)) {
      assertThat(event.type()).isIn("hello", "queued", "running");
      event = reader.next();
    }
    return event;
  }

  @Test
  void aCutAnswerIsRestartedWithANewTry() { // F33
    var worker = platform.worker();
    var seen = new CountDownLatch(1);
    model.then(
        call -> {
          call.head("text/event-stream").token("Hel");
          seen.await();
          call.cut();
        },
        tokens("Hello"));
    var id = platform.submitBody(CHAT);
    await().until(() -> tokensOf(id).size() == 1);
    seen.countDown();

    var result = platform.awaitEnd(id).get("result");

    assertThat(result.get("text").stringValue()).isEqualTo("Hello");
    assertThat(result.get("tries").intValue()).isEqualTo(2);
    assertThat(tokensOf(id)).containsExactly("1.1 Hel", "1.2 Hello");
    assertThat(redis.types(id))
        .containsExactly("queued", "running", "token", "log", "token", "done");
    platform.stop(worker);
  }

  @Test
  void cancelEndsTheCallOfTheModel() throws Exception { // C3.10, C3.11
    var worker = platform.worker();
    var gone = new CountDownLatch(1);
    model.then(call -> {
      call.head("text/event-stream").token("for ever ");
      call.awaitGone();
      gone.countDown();
    });
    var id = platform.submitBody(CHAT);
    await().until(() -> tokensOf(id).size() == 1);

    assertThat(platform.post("/v1/jobs/" + id + "/cancel", "").statusCode()).isLessThan(300);

    gone.await(); // the model hears that nobody listens any more
    platform.awaitNothingPending();
    assertThat(platform.status(id)).isEqualTo("canceled");
    assertThat(redis.ends(id)).isEqualTo(1);
    assertThat(model.seen()).hasSize(1);
    platform.stop(worker);
  }

  @Test
  void aTokenThatMeetsACancelEndsTheAttempt() throws Exception { // C3.10
    var worker = platform.worker();
    var canceled = new CountDownLatch(1);
    model.then(call -> {
      call.head("text/event-stream").token("so far ");
      canceled.await();
      call.token("and no further");
      call.awaitGone();
    });
    var id = platform.submitBody(CHAT);
    await().until(() -> tokensOf(id).size() == 1);

    // As a cancel whose notice reaches the worker later than the next token does, or never.
    redis.call("HSET", "job:" + id, "status", "canceled");
    canceled.countDown();

    platform.awaitNothingPending(); // long before the lease runs out
    assertThat(tokensOf(id)).containsExactly("1.1 so far ");
    assertThat(platform.status(id)).isEqualTo("canceled");
    platform.stop(worker);
  }

  @Test
  void aWorkerKilledInTheMiddleLeavesTokensOfAnOlderAttempt() throws Exception { // F33, C3.8
    var gone = new CountDownLatch(1);
    model.then(
        call -> {
          call.head("text/event-stream").token("half");
          call.awaitGone();
          gone.countDown();
        },
        tokens("whole"));
    try (var child =
        new ChildJvm(
            WorkerMain.class,
            platform.server().address(),
            "doomed",
            LEASE,
            URL,
            "llm.model=small")) {
      child.awaitReady();
      var id = platform.submitBody(CHAT);
      await().until(() -> tokensOf(id).size() == 1);
      child.kill();
      gone.await();
      platform.leasesRunOut();
      var rescuer = platform.worker();

      assertThat(platform.awaitEnd(id).at("/result/text").stringValue()).isEqualTo("whole");
      platform.awaitNothingPending();

      assertThat(tokensOf(id)).containsExactly("1.1 half", "2.1 whole");
      assertThat(redis.ends(id)).isEqualTo(1);
      platform.stop(rescuer);
    }
  }
}
