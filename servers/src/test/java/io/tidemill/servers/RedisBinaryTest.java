package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RedisBinaryTest {

  private static final String REDIS_6 = "Redis server v=6.2.14 sha=00000000:0 malloc=libc bits=64";
  private static final String REDIS_7 =
      "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0";
  private static final String VALKEY_8 = "Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc";

  @Test
  void takesTheInstalledRedisWhenItIsNewEnough() {
    assertThat(RedisBinary.newEnough(List.of("/usr/bin/redis-server", REDIS_7)))
        .contains(Path.of("/usr/bin/redis-server"));
  }

  @Test
  void passesOverAnOldRedisForANewValkey() {
    var found = List.of("/usr/bin/redis-server", REDIS_6, "/opt/bin/valkey-server", VALKEY_8);

    assertThat(RedisBinary.newEnough(found)).contains(Path.of("/opt/bin/valkey-server"));
  }

  @Test
  void takesNoneWhenNoneIsNewOrTellsItsVersion() {
    assertThat(RedisBinary.newEnough(List.of())).isEmpty();
    assertThat(RedisBinary.newEnough(List.of("/usr/bin/redis-server", REDIS_6))).isEmpty();
    assertThat(RedisBinary.newEnough(List.of("/a/redis-server", "/a/valkey-server"))).isEmpty();
  }

  @Test
  void unpacksARunnableRedisOnce(@TempDir Path dir) throws IOException {
    var first = RedisBinary.extracted(dir);
    var unpackedAt = Files.getLastModifiedTime(first);

    assertThat(RedisBinary.extracted(dir)).isEqualTo(first).isExecutable();
    assertThat(Files.getLastModifiedTime(first)).isEqualTo(unpackedAt);
    assertThat(dir).isDirectoryNotContaining("glob:**.tmp");
  }
}
