package io.tidemill.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemill.config.Settings;
import io.tidemill.http.BasePath;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What programs read about us is read by their own tools: AsyncAPI's parser, ajv in strict mode
/// and a linter of OpenAPI.
class MachineDocumentsIT {
  private static final Path SCRIPT = Path.of("src", "test", "documents", "check.mjs");
  private static final Path INSTALLED =
      Path.of("..", "target", "documents").toAbsolutePath().normalize();

  @Test
  void toolsOfOthersFindNoFault() throws Exception {
    assumeTrue(Files.exists(INSTALLED.resolve("node_modules")), "no tools of npm");
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("http.port", "0"),
            List.of(HttpConfig.class, ApiConfig.class, ObserveConfig.class));
    try (var metrics = new Metrics()) {
      var server =
          new HttpServer(
              settings.section(HttpConfig.class),
              settings.section(ApiConfig.class),
              List.of(new ContractRoutes("1.2.3", BasePath.ROOT)),
              metrics,
              new Traces(settings.section(ObserveConfig.class)),
              InstantSource.system());
      server.start();
      try {
        var process =
            new ProcessBuilder("node", SCRIPT.toString(), server.url(), INSTALLED.toString())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(output).doesNotContain("FAULT").contains("ok asyncapi", "ok openapi");
        assertThat(process.waitFor()).isZero();
      } finally {
        server.stop();
      }
    }
  }
}
