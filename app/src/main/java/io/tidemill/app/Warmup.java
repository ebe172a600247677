package io.tidemill.app;

import io.tidemill.app.wiring.Role;
import io.tidemill.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;

/// Starts everything in a scratch folder and uses it once: what the start-up cache learns from.
final class Warmup {
  private static final int ROUNDS = 20;

  private Warmup() {}

  static int run(Path scratch) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory(scratch, "warm");
    try (var running = new RunningInstance(settings(folder), InstantSource.system())) {
      use(running.up(Role.ALL).http());
    } finally {
      delete(folder);
    }
    return 0;
  }

  private static Settings settings(Path scratch) {
    var anyPort =
        Map.of(
            "data.dir", scratch.toString(),
            "http.port", "0",
            "servers.kafka.port", "0",
            "servers.redis.port", "0",
            "servers.amqp.port", "0",
            "servers.s3.port", "0",
            "log.level", "error");
    var settings = Settings.load(null, Map.of(), anyPort, SettingSections.ALL);
    Logging.apply(settings.section(LogConfig.class));
    return settings;
  }

  private static void use(String url) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      for (int round = 0; round < ROUNDS; round++) {
        var job =
            HttpRequest.newBuilder(URI.create(url + "/v1/jobs"))
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"task\":\"tool\",\"payload\":{\"name\":\"echo\",\"arguments\":{\"round\":1}}}"))
                .build();
        var where = client.send(job, BodyHandlers.ofString()).headers().firstValue("Location");
        if (where.isEmpty()) continue;
        read(client, url + where.get() + "/events");
        read(client, url + where.get());
      }
      for (var page : new String[] {"/health/ready", "/metrics", "/api/status", "/openapi.json"}) {
        read(client, url + page);
      }
    }
  }

  private static void read(HttpClient client, String url) throws IOException, InterruptedException {
    client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
