package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.cli.client.Commands.Finding;
import io.tidemill.cli.client.Commands.Level;
import io.tidemill.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @TempDir private Path folder;

  @Test
  void warnsOfAModelThatTheServerDoesNotKnow() {
    try (var server = new OnePageSite("{\"data\":[{\"id\":\"small\"}]}")) {
      assertThat(model(server, "small").level()).isEqualTo(Level.OK);
      assertThat(model(server, "large"))
          .isEqualTo(
              new Finding(
                  "llm.url",
                  Level.WARN,
                  "answers with 1 model, large is not among them",
                  "set llm.model to one that the server has: small"));
    }
  }

  @Test
  void saysOfAModelsServerThatItIsNotOne() {
    try (var server = new OnePageSite("<html>")) {
      assertThat(model(server, "small").level()).isEqualTo(Level.FAIL);
      assertThat(model(server, "small").what()).isEqualTo("answers, but not with JSON");
    }
  }

  @Test
  void aTakenPortIsAFaultOnlyWhenTheSettingsNameIt() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = taken.getLocalPort();
      var given = Map.of("data.dir", folder.toString(), "servers.amqp.port", String.valueOf(port));
      var settings = Settings.load(null, Map.of(), given, SettingSections.ALL);

      assertThat(finding(settings, "servers.amqp.port"))
          .isEqualTo(
              new Finding(
                  "servers.amqp.port",
                  Level.FAIL,
                  port + " is taken",
                  "stop the program that has it, or set another port (0 = any free one)"));
    }
  }

  private static Finding finding(Settings settings, String subject) {
    return new Doctor(settings)
        .findings().stream()
            .filter(finding -> finding.subject().equals(subject))
            .findFirst()
            .orElseThrow();
  }

  private Finding model(OnePageSite server, String name) {
    var given =
        Map.of("data.dir", folder.toString(), "llm.url", server.url() + "v1", "llm.model", name);
    var settings = Settings.load(null, Map.of(), given, SettingSections.ALL);
    return finding(settings, "llm.url");
  }
}
