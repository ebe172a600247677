package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalServersIT {

  @TempDir private Path dir;

  @Test
  void startsAndClosesAllFourTogether() throws Exception {
    var servers = servers();

    LocalServers.startAll(servers);
    assertThat(servers).noneMatch(server -> isFree(server.port()));

    LocalServers.closeAll(servers);
    assertThat(servers).allMatch(server -> isFree(server.port()));
  }

  @Test
  void leavesNothingRunningWhenOneOfFourCannotStart() throws Exception {
    try (var taken = new ServerSocket(0, 1, Ports.LOOPBACK)) {
      var broken = new S3Server(dir.resolve("other"), taken.getLocalPort(), "key", "secret");
      var others = servers().subList(0, 3);

      assertThatThrownBy(() ->
              LocalServers.startAll(Stream.concat(others.stream(), Stream.of(broken)).toList()))
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("s3 on port " + taken.getLocalPort());

      assertThat(others).allMatch(server -> isFree(server.port()));
    }
  }

  private List<LocalServer> servers() {
    return Stream.of("kafka", "amqp", "redis", "s3")
        .map(name -> ChildMain.server(name, dir.resolve(name)))
        .toList();
  }

  private static boolean isFree(int port) {
    return Ports.freeOr(port) == port;
  }
}
