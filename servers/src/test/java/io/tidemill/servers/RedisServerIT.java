package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import redis.clients.jedis.Jedis;

final class RedisServerIT extends LocalServerContract {

  @Override
  String name() {
    return "redis";
  }

  @Override
  LocalServer serverOn(Path dir, int port) {
    return new RedisServer(dir, port);
  }

  private RedisServer redis() {
    return (RedisServer) server;
  }

  @Test
  void isRestartedOnTheSamePortWithNothingLostWhenItIsKilled() throws Exception {
    long killed = redis().pid();
    int before = redis().restarts();
    try (var client = connect(server.address())) {
      client.write("acknowledged");
    }

    ProcessHandle.of(killed).orElseThrow().destroyForcibly();

    await().atMost(Duration.ofSeconds(20)).until(() -> redis().restarts() > before);
    assertThat(redis().pid()).isNotEqualTo(killed);
    try (var client = connect(server.address())) {
      assertThat(client.read()).contains("acknowledged");
    }
  }

  @Test
  void isRestartedWhenOnlyTheShellAroundItIsKilled() {
    long orphan = redis().pid();
    int before = redis().restarts();

    ProcessHandle.of(orphan).orElseThrow().parent().orElseThrow().destroyForcibly();

    await().atMost(Duration.ofSeconds(20)).until(() -> redis().restarts() > before);
    assertThat(redis().pid()).isNotEqualTo(orphan);
  }

  @Test
  void diesSoonAfterItsJvmWasKilled() throws Exception {
    try (var child = new ChildServer("redis", newDir(), scratch)) {
      long pid = Long.parseLong(child.said("pid"));
      assertThat(isRunning(pid)).isTrue();

      child.kill();

      await().atMost(Duration.ofSeconds(20)).until(() -> !isRunning(pid));
    }
  }

  @Test
  void endsAnOrphanThatStillHoldsItsDirectory() throws Exception {
    var dir = newDir();
    var first = new RedisServer(dir, 0);
    first.start();
    first.close();
    var orphan =
        new ProcessBuilder(RedisBinary.locate(dir).toString(), dir.resolve("redis.conf").toString())
            .start();
    Files.writeString(dir.resolve("redis.pid"), orphan.pid() + "\n");

    try (var second = new RedisServer(dir, 0)) {
      second.start();
      assertThat(orphan.isAlive()).isFalse();
    }
  }

  @Test
  void leavesAStrangerAloneWhoGotThePidOfAnEarlierRedis() throws Exception {
    var dir = newDir();
    var stranger = new ProcessBuilder("cat").start();
    Files.writeString(dir.resolve("redis.pid"), stranger.pid() + "\n");

    try (var redis = new RedisServer(dir, 0)) {
      redis.start();
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void refusesADirectoryThatAnotherServerUses() throws Exception {
    var dir = newDir();
    try (var first = new RedisServer(dir, 0);
        var second = new RedisServer(dir, 0)) {
      first.start();

      assertThatThrownBy(second::start)
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("is in use");
    }
  }

  @Test
  void loadsALogWhoseLastCommandWasCutOff() throws Exception {
    var dir = newDir();
    try (var first = new RedisServer(dir, 0)) {
      first.start();
      try (var client = connect(first.address())) {
        client.write("whole");
      }
    }
    try (var files = Files.newDirectoryStream(dir.resolve("appendonlydir"), "*.incr.aof")) {
      for (var log : files) {
        Files.writeString(log, "*3\r\n$3\r\nSET\r\n$3\r\ncu", StandardOpenOption.APPEND);
      }
    }

    try (var second = new RedisServer(dir, 0)) {
      second.start();
      try (var client = connect(second.address())) {
        assertThat(client.read()).containsExactly("whole");
      }
    }
  }

  @Test
  void tellsTheLastWordsOfARedisThatDoesNotStart() throws Exception {
    try (var redis = new RedisServer(newDir(), 0, "a lot", "always")) {
      assertThatThrownBy(redis::start)
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("maxmemory");
    }
  }

  @Test
  void writesEveryCommandToDiskAndEvictsNothing() {
    try (var jedis = new Jedis(URI.create(server.address()))) {
      assertThat(jedis.configGet("appendfsync")).containsValue("always");
      assertThat(jedis.configGet("appendonly")).containsValue("yes");
      assertThat(jedis.configGet("maxmemory-policy")).containsValue("noeviction");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void isOutOfReachOfCtrlCInOurTerminal() throws Exception {
    assertThat(session(redis().pid())).isNotEqualTo(session(ProcessHandle.current().pid()));
  }

  private static String session(long pid) throws Exception {
    var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.substring(stat.lastIndexOf(')')).split(" ", 6)[4];
  }

  private static boolean isRunning(long pid) {
    return ProcessHandle.of(pid).isPresent();
  }

  @Override
  Client connect(String address) {
    return new RedisClient(new Jedis(URI.create(address)));
  }

  private record RedisClient(Jedis jedis) implements Client {

    @Override
    public void write(String item) {
      jedis.sadd("kept", item);
    }

    @Override
    public Set<String> read() {
      return jedis.smembers("kept");
    }

    @Override
    public void close() {
      jedis.close();
    }
  }
}
