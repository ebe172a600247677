package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.app.wiring.Addresses;
import io.tidemill.json.Json;
import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The packaged product in a process of its own, as a user starts it.
public final class Product implements AutoCloseable {
  private static final Path LIB =
      Path.of(System.getProperty("tidemill.lib", "target/tidemill/lib")).toAbsolutePath();
  public static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Process process;
  private final Path log;

  private Product(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /// Starts everything on free ports and waits until it is ready.
  public static Product up(Path data, String... more) {
    var arguments = new ArrayList<>(List.of("up", "--data", data.toString(), "--http-port", "0"));
    for (var server : List.of("kafka", "redis", "amqp", "s3")) {
      arguments.addAll(List.of("-s", "servers." + server + ".port=0"));
    }
    arguments.addAll(List.of(more));
    var product = start(data.resolveSibling("up.log"), Map.of(), arguments);
    product.awaitLog("is ready");
    return product;
  }

  /// Starts any command.
  public static Product start(Path log, Map<String, String> env, List<String> arguments) {
    return start(log, env, "-Xmx512m", arguments);
  }

  /// Starts any command with so much memory.
  static Product start(Path log, Map<String, String> env, String memory, List<String> arguments) {
    return start(log, env, Path.of("").toAbsolutePath(), command(memory, arguments));
  }

  private static List<String> command(String memory, List<String> arguments) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                memory,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                LIB + "/*",
                "io.tidemill.app.Main"));
    command.addAll(arguments);
    return command;
  }

  /// Starts any command in another working directory.
  static Product startIn(
      Path directory, Path log, Map<String, String> env, List<String> arguments) {
    return start(log, env, directory, command("-Xmx512m", arguments));
  }

  private static Product start(
      Path log, Map<String, String> env, Path directory, List<String> command) {
    try {
      assertThat(LIB).as("the packaged product").isDirectory();
      var builder =
          new ProcessBuilder(ChildProcessGuard.guarded(command)).redirectErrorStream(true);
      builder.redirectOutput(log.toFile()).directory(directory.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("TIDEMILL_"));
      builder.environment().putAll(env);
      return new Product(builder.start(), log);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public void awaitLog(String text) {
    await()
        .atMost(PATIENCE)
        .until(() -> {
          if (!process.isAlive() && !output().contains(text)) {
            throw new AssertionError("it ended with " + process.exitValue() + ": " + output());
          }
          return output().contains(text);
        });
  }

  /// What it printed, without what Kafka's clients say of a broker that a busy machine holds up.
  String ownWords() {
    return output()
        .lines()
        .filter(line -> !line.contains("\"logger_name\":\"org.apache.kafka."))
        .collect(Collectors.joining("\n"));
  }

  public String output() {
    try {
      return Files.readString(log);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  boolean hasEnded() {
    return !process.isAlive();
  }

  int awaitExit() {
    try {
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  long pid() {
    return process.pid();
  }

  /// As the kernel would: no hook runs.
  public void kill() {
    process.toHandle().destroyForcibly();
    awaitExit();
  }

  /// As Ctrl-C would.
  public int stop() {
    process.toHandle().destroy();
    return awaitExit();
  }

  public static JsonNode addresses(Path data) {
    try {
      return Json.parse(Files.readAllBytes(Addresses.file(data)));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  public static String address(Path data, String name) {
    return addresses(data).get(name).stringValue();
  }

  static HttpResponse<String> post(String url, String body) {
    return send(
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  static HttpResponse<String> get(String url) {
    return send(HttpRequest.newBuilder(URI.create(url)).build());
  }

  private static HttpResponse<String> send(HttpRequest request) {
    try {
      return CLIENT.send(request, BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  /// Submits a job and returns its address.
  static String submit(String http, String body) {
    var answer = post(http + "/v1/jobs", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    return http + answer.headers().firstValue("Location").orElseThrow();
  }

  static void awaitStatus(String job, String status) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(Json.parse(get(job).body()).get("status").stringValue()).isEqualTo(status));
  }

  @Override
  public void close() {
    if (process.isAlive()) kill();
  }
}
