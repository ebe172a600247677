package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.config.Settings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServersConfigTest {
  @TempDir private Path data;

  private static Settings settings(Map<String, String> overrides) {
    return Settings.load(null, Map.of(), overrides, SettingSections.ALL);
  }

  @Test
  void twoServersCanNotHaveOnePort() {
    assertThatThrownBy(
            () -> settings(Map.of("servers.redis.port", "9000", "servers.kafka.port", "0")))
        .hasMessage(
            "servers.s3.port is 9000 (from default): expected another port than servers.redis.port has");
  }

  @Test
  void aTakenPortThatTheSettingsNameIsRefusedUnlessTheServerIsElsewhere() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = String.valueOf(taken.getLocalPort());

      assertThatThrownBy(
              () -> new LocalServersStart(settings(Map.of("servers.amqp.port", port)), data))
          .hasMessageStartingWith("servers.amqp.port is %s (from -s): the port is taken; ", port);

      assertThat(data).isEmptyDirectory();
      var elsewhere = Map.of("servers.amqp.port", port, "amqp.url", "amqp://127.0.0.1:" + port);
      new LocalServersStart(settings(elsewhere), data).close();
    }
  }
}
