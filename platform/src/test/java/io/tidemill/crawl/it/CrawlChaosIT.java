package io.tidemill.crawl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.TestSite;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Everything is killed again and again while crawls come in: each one that was accepted ends once,
/// and all its pages are found.
///
/// `-Dtidemill.chaos.kills=500` for a longer run, `-Dtidemill.chaos.seed=…` to repeat one.
class CrawlChaosIT {
  private static final int KILLS = Integer.getInteger("tidemill.chaos.kills", 15);
  private static final long SEED = Long.getLong("tidemill.chaos.seed", System.nanoTime());
  private static final int CLIENTS = 2;
  private static final int LEAVES = 3;
  private static final Duration BETWEEN_KILLS = Duration.ofMillis(600);
  private static final Duration BETWEEN_CRAWLS = Duration.ofMillis(400);
  private static final List<String> TERMINAL = List.of("completed", "failed", "canceled");

  private final Random random = new Random(SEED);
  private final List<Child> children = new ArrayList<>();
  private final Map<String, String> accepted = new ConcurrentHashMap<>();
  private final AtomicInteger sent = new AtomicInteger();
  private CrawlPlatform platform;
  private volatile boolean enough;

  /// A role and the process that it is in at the moment.
  private static final class Child {
    final String name;
    final Supplier<ChildJvm> start;
    ChildJvm process;

    Child(String name, Supplier<ChildJvm> start) {
      this.name = name;
      this.start = start;
      process = start.get();
    }

    // What found no server at its start gave up; whoever runs it starts it again.
    void awaitReady() {
      while (true) {
        try {
          process.awaitReady();
          return;
        } catch (AssertionError ended) {
          process = start.get();
        }
      }
    }

    String killAndRestart() {
      awaitReady(); // one that is still starting has nothing to lose
      process.kill();
      process = start.get();
      return name;
    }
  }

  @Test
  void whateverIsKilledEveryCrawlEndsOnceAndItsPagesAreFound() throws Exception { // G4
    try (var site = site();
        var servers =
            CrawlPlatform.durable(
                "crawler.lease=1s",
                "crawler.session-timeout=1s",
                "crawler.max-attempts=10000",
                "amqp.publish-timeout=5s",
                "redis.timeout=1s")) {
      platform = servers;
      platform.gateway();
      for (int i = 0; i < 2; i++) {
        children.add(new Child("crawler", () -> platform.crawlerProcess()));
      }
      children.add(new Child("indexer", () -> platform.indexerProcess()));
      var kills = new TreeMap<String, Integer>();
      try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
        for (int i = 0; i < CLIENTS; i++) clients.execute(() -> submitUntilEnough(site));
        try {
          for (int i = 0; i < KILLS; i++) kills.merge(killSomething(), 1, Integer::sum);
        } finally {
          enough = true;
        }
      }
      children.forEach(Child::awaitReady);
      check(site);
      LoggerFactory.getLogger(CrawlChaosIT.class)
          .warn("seed {}: kills {}, {} crawls, all ended once", SEED, kills, accepted.size());
    } finally {
      children.forEach(child -> child.process.close());
    }
  }

  // Every folder is a small site of its own.
  private static TestSite site() {
    return TestSite.start()
        .answer("/robots.txt", 404, Map.of(), new byte[0])
        .on(
            "/*",
            (request, reply) -> {
              var links = new StringBuilder();
              if (request.path().endsWith("/")) {
                for (int i = 0; i < LEAVES; i++)
                  links.append("<a href=").append(i).append(">x</a> ");
              }
              reply.send(
                  200,
                  Map.of("Content-Type", "text/html"),
                  "<title>" + request.path() + "</title><p>text of it</p>" + links);
            });
  }

  private String killSomething() throws IOException {
    LockSupport.parkNanos(BETWEEN_KILLS.toNanos());
    var dice = random.nextInt(20);
    if (dice < 8) return children.get(random.nextInt(2)).killAndRestart();
    if (dice < 11) return children.get(2).killAndRestart();
    if (dice < 15 && isAlive(platform.redis().pid())) {
      ChildJvm.signal(platform.redis().pid(), "KILL");
      return "redis";
    }
    var server = dice < 18 ? platform.amqp() : platform.kafka();
    server.close();
    server.start();
    return server.name();
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private void submitUntilEnough(TestSite site) {
    while (!enough) {
      submit(site.url("/c" + sent.incrementAndGet() + "/"));
      LockSupport.parkNanos(BETWEEN_CRAWLS.toNanos());
    }
  }

  // Who hears that it failed asks anew, as a crawl of its own.
  private void submit(String url) {
    var body = Json.object().put("url", url).put("email", "chaos@example.org").put("maxPages", 10);
    var answer = platform.post("/api/crawls", Json.text(body.put("scope", "prefix")));
    if (answer.statusCode() == 202) {
      accepted.put(Json.parse(answer.body()).get("id").stringValue(), url);
    } else {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    }
  }

  private void check(TestSite site) throws Exception {
    await()
        .atMost(Duration.ofMinutes(3))
        .ignoreExceptions()
        .until(() ->
            platform
                    .get("/api/crawls?email=chaos@example.org&status=pending")
                    .get("total")
                    .intValue()
                == 0);
    var wrong = new ArrayList<String>();
    try (var redis = new Resp(platform.redis().port());
        var strangers = new PlainClients(platform)) {
      var responses =
          strangers.records("crawl-responses").stream()
              .collect(Collectors.groupingBy(PlainClients::key, Collectors.counting()));
      accepted.forEach((id, url) -> {
        var crawl = platform.get("/api/crawls/" + id);
        var ends =
            redis.stream("crawl:" + id + ":events").stream()
                .map(event -> event.fields().get("type"))
                .filter(TERMINAL::contains)
                .toList();
        if (!ends.equals(List.of("completed"))
            || crawl.at("/result/fetched").asInt(0) != 1 + LEAVES
            || responses.get(id) != 1) {
          wrong.add(ends + " " + responses.get(id) + " responses " + crawl);
        }
      });
    }
    assertThat(wrong).as("seed %s", SEED).isEmpty();
    for (var url : accepted.values()) {
      awaitIndexed(url);
      for (int i = 0; i < LEAVES; i++) awaitIndexed(url + i);
    }
    assertThat(accepted.size()).as("seed %s", SEED).isGreaterThan(KILLS / 4);
    assertThat(site.connects()).isPositive();
  }

  private void awaitIndexed(String url) {
    await(url + " seed " + SEED)
        .atMost(Duration.ofMinutes(1))
        .pollDelay(Duration.ZERO)
        .until(() -> platform.get("/api/pages?url=" + URLEncoder.encode(url, UTF_8)).has("url"));
  }
}
