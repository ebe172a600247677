package io.tidemill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.crawl.CrawlOwners;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.servers.RedisServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.StreamEntryID;

/// Two clients with different prefixes on one Redis (G6).
class KeyPrefixIT {
  @TempDir static Path folder;

  private static RedisServer server;
  private static Redis acme;
  private static Redis plain;
  private static RedisClient stranger;

  @BeforeAll
  static void start() {
    server = new RedisServer(folder, 0, "256mb", "everysec");
    server.start();
    acme = new Redis(new RedisConfig(server.address(), 1, Duration.ofSeconds(5), "acme:"));
    plain = new Redis(new RedisConfig(server.address(), 1, Duration.ofSeconds(5)));
    stranger = RedisClient.create(URI.create(server.address()));
  }

  @AfterAll
  static void stop() {
    stranger.close();
    acme.close();
    plain.close();
    server.close();
  }

  @BeforeEach
  void empty() {
    plain.call(Command.FLUSHALL);
  }

  @Test
  void keepsTwoInstallationsApart() {
    acme.call(RedisCommand.SET, "tidemill:installation", "a");
    plain.call(RedisCommand.SET, "tidemill:installation", "b");

    assertThat(Redis.text(acme.call(RedisCommand.GET, "tidemill:installation"))).isEqualTo("a");
    assertThat(Redis.text(plain.call(RedisCommand.GET, "tidemill:installation"))).isEqualTo("b");
    assertThat(stranger.keys("*"))
        .containsExactlyInAnyOrder("acme:tidemill:installation", "tidemill:installation");
  }

  @Test
  void crawlsOfAnotherGatewayAreFoundUnderThePrefixOnly() { // G6, C1.4
    stranger.hset("acme:crawls:a@example.org", "one", "{}");
    stranger.hset("crawls:b@example.org", "two", "{}");

    var owners = new CrawlOwners(acme);

    assertThat(owners.find("one").orElseThrow().email()).isEqualTo("a@example.org");
    assertThat(owners.find("two")).isEmpty();
    assertThat(new CrawlOwners(plain).find("two")).isPresent();
  }

  @Test
  void scriptsSeeTheNamesOfTheContractsAndTouchPrefixedKeys() {
    var script = Script.load(KeyPrefixIT.class, "touch_keys.lua");

    for (var redis : List.of(acme, plain)) {
      assertThat(Redis.list(redis.run(script, List.of("list", "other"), List.of("stream"))))
          .extracting(Redis::text)
          .containsExactly("list", "2", "moved", "1", "g", "wrong type", "entry", "2");
    }

    assertThat(stranger.keys("*"))
        .containsExactlyInAnyOrder("acme:other", "acme:stream", "other", "stream");
  }

  @Test
  void anErrorOfAScriptIsItsOwn() {
    var script = Script.load(KeyPrefixIT.class, "touch_keys.lua");
    stranger.lpush("acme:stream", "no stream");

    assertThatThrownBy(() -> acme.run(script, List.of("list", "other"), List.of("stream")))
        .isInstanceOf(RedisException.class)
        .hasMessageContaining("WRONGTYPE");
  }

  @Test
  void streamsHaveItToo() throws InterruptedException {
    var tail = new StreamTail(acme, 1, new SimpleMeterRegistry());
    tail.start();
    try (var reader = tail.follow("job:1:events", "0-0")) {
      stranger.xadd("acme:job:1:events", new StreamEntryID(1), Map.of("n", "1"));
      assertThat(reader.next(Duration.ofSeconds(10))).hasSize(1);
      assertThat(reader.next(Duration.ofMillis(1))).isEmpty(); // it joins the shared tail
      stranger.xadd("acme:job:1:events", new StreamEntryID(2), Map.of("n", "2"));
      assertThat(reader.next(Duration.ofSeconds(10))).hasSize(1);
    } finally {
      tail.stop();
    }
  }

  @Test
  void channelsHaveItToo() {
    var heard = new ConcurrentLinkedQueue<String>();
    var channel = new PubSubChannel(acme, "jobs:cancel", heard::add);
    channel.start();
    try {
      var publish = Script.load(KeyPrefixIT.class, "publish.lua");
      var arguments = List.of("jobs:cancel", "one");
      await().until(() -> Long.valueOf(1).equals(acme.run(publish, List.of(), arguments)));
      await().until(() -> heard.contains("one"));
      assertThat(plain.run(publish, List.of(), arguments)).isEqualTo(0L);
    } finally {
      channel.stop();
    }
  }
}
