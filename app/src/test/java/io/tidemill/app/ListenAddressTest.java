package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.app.wiring.Role;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListenAddressTest {
  private static final Map<String, String> SHARED = Map.of("TIDEMILL_HTTP_PORT", "8090");

  private static Settings settings(Map<String, String> env, Map<String, String> overrides) {
    return Settings.load(null, env, overrides, SettingSections.ALL);
  }

  private static int port(Settings settings, Role role) {
    return ListenAddress.of(settings, Set.of(role)).http().port();
  }

  @Test
  void aSharedPortIsTheGateways() {
    var shared = settings(SHARED, Map.of());

    assertThat(port(shared, Role.GATEWAY)).isEqualTo(8090);
    assertThat(port(shared, Role.WORKER)).isZero();
    assertThat(port(settings(Map.of(), Map.of()), Role.INDEXER)).isZero();
  }

  @Test
  void aPortForThisProcessCounts() {
    assertThat(port(settings(SHARED, Map.of("http.port", "8091")), Role.WORKER)).isEqualTo(8091);
    assertThat(port(settings(SHARED, Map.of("health.port", "8092")), Role.WORKER)).isEqualTo(8092);
  }

  @Test
  void aTakenPortIsRefusedByTheNameOfItsSetting() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = String.valueOf(taken.getLocalPort());
      assertRefused("http.port", port, Role.GATEWAY, "--http-port or -s http.port=N");
      assertRefused("health.port", port, Role.WORKER, "-s health.port=N");
    }
  }

  private static void assertRefused(String key, String port, Role role, String advice) {
    var settings = settings(Map.of(), Map.of(key, port));
    var listen = ListenAddress.of(settings, Set.of(role));

    assertThatThrownBy(() -> listen.requireFree(settings))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("%s is %s (from -s): can't listen on 127.0.0.1", key, port)
        .hasMessageEndingWith("set another with " + advice);
  }
}
