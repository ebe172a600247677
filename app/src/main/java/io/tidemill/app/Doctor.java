package io.tidemill.app;

import io.tidemill.analytics.Analytics;
import io.tidemill.app.upgrade.Upgrade;
import io.tidemill.app.wiring.DataConfig;
import io.tidemill.app.wiring.Endpoints;
import io.tidemill.cli.client.Commands.Finding;
import io.tidemill.cli.client.Commands.Level;
import io.tidemill.cli.client.Version;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.http.HttpConfig;
import io.tidemill.llm.LlmConfig;
import io.tidemill.llm.ModelProbe;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisHealth;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Looks at each server, port, setting, the disk and the memory: what is wrong, and what to do.
final class Doctor {
  private static final long ENOUGH_DISK = 2L << 30;
  private static final long ENOUGH_MEMORY = 1L << 30;

  private final Settings settings;
  private final Path data;
  private final List<Finding> findings = new ArrayList<>();

  Doctor(Settings settings) {
    this.settings = settings;
    this.data = settings.section(DataConfig.class).dir().toAbsolutePath().normalize();
  }

  List<Finding> findings() {
    java();
    disk();
    format();
    memory();
    ports();
    servers();
    keys();
    return findings;
  }

  private void java() {
    var version = Runtime.version();
    if (version.feature() >= 25) ok("java", "JDK " + version);
    else add(Level.FAIL, "java", "JDK " + version, "install a JDK 25 or newer");
  }

  private void disk() {
    var folder = nearestThatExists(data);
    try {
      var free = Files.getFileStore(folder).getUsableSpace();
      var text = "%.1f GiB free for %s".formatted(free / (double) (1 << 30), data);
      if (!Files.isWritable(folder)) {
        add(
            Level.FAIL,
            "data.dir",
            folder + " can't be written",
            "name another folder with -s data.dir=FOLDER");
      } else if (free < ENOUGH_DISK) {
        add(
            Level.WARN,
            "disk",
            text,
            "free some space, or name another folder with -s data.dir=FOLDER");
      } else {
        ok("disk", text);
      }
    } catch (IOException unknown) {
      add(
          Level.WARN,
          "disk",
          String.valueOf(unknown.getMessage()),
          "check that data.dir can be read");
    }
  }

  private void format() {
    var upgrade = new Upgrade(Version.current());
    try {
      upgrade
          .check(data)
          .ifPresent(stamp ->
              ok(
                  "data format",
                  "%d, written by %s; this build writes %d"
                      .formatted(stamp.format(), stamp.writtenBy(), upgrade.format())));
    } catch (SettingsException refused) {
      add(Level.FAIL, "data format", String.valueOf(refused.getMessage()), "see docs/upgrade.md");
    }
  }

  private static Path nearestThatExists(Path folder) {
    var parent = folder.getParent();
    return Files.exists(folder) || parent == null ? folder : nearestThatExists(parent);
  }

  private void memory() {
    var bean =
        (com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean();
    var total = bean.getTotalMemorySize();
    var text = "%.1f GiB".formatted(total / (double) (1 << 30));
    if (total < ENOUGH_MEMORY)
      add(Level.WARN, "memory", text, "`up` needs about 600 MB; use `run` for single roles");
    else ok("memory", text);
  }

  private void ports() {
    if (DataFolder.isTaken(data)) {
      ok("instance", "one is running with this data folder");
      return;
    }
    var servers = settings.section(ServersConfig.class);
    var http = settings.section(HttpConfig.class);
    if (isFree(http.port())) ok("http.port", http.port() + " is free");
    else {
      add(
          Level.FAIL,
          "http.port",
          http.port() + " is taken",
          "stop the program that has it, or start with --http-port N");
    }
    var endpoints = Endpoints.configured(settings);
    if (endpoints.kafka().bootstrap().isEmpty()) port("servers.kafka.port", servers.kafkaPort());
    if (endpoints.redis().url().isEmpty()) port("servers.redis.port", servers.redisPort());
    if (endpoints.amqp().url().isEmpty()) port("servers.amqp.port", servers.amqpPort());
    if (endpoints.s3().endpoint().isEmpty()) port("servers.s3.port", servers.s3Port());
  }

  private void port(String key, int port) {
    if (isFree(port)) ok(key, port + " is free");
    else add(Level.WARN, key, port + " is taken", "`up` takes a free one and prints it");
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private void servers() {
    var endpoints = Endpoints.configured(settings);
    if (!endpoints.redis().url().isEmpty()) {
      reach(
          "redis.url",
          () -> {
            try (var redis = new Redis(endpoints.redis())) {
              return new RedisHealth(redis).describe();
            }
          });
    }
    if (!endpoints.kafka().bootstrap().isEmpty()) {
      reach("kafka.bootstrap", () -> connect(firstBroker(endpoints.kafka().bootstrap())));
    }
    if (!endpoints.amqp().url().isEmpty()) reach("amqp.url", () -> connect(endpoints.amqp().url()));
    if (!endpoints.s3().endpoint().isEmpty())
      reach("s3.endpoint", () -> connect(endpoints.s3().endpoint()));
    var analytics = settings.section(AnalyticsConfig.class);
    if (analytics.isPostgres()) reach("analytics.url", () -> ask(analytics));
    var llm = settings.section(LlmConfig.class);
    if (!llm.url().isEmpty()) model(llm);
  }

  private String ask(AnalyticsConfig config) {
    try (var analytics =
        new Analytics(config, settings.section(DataConfig.class).dir(), InstantSource.system())) {
      analytics.ping();
      return "answers";
    }
  }

  private void model(LlmConfig config) {
    try {
      var found = ModelProbe.probe(config);
      add(level(found.state()), "llm.url", found.what(), found.advice());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      add(Level.WARN, "llm.url", "not looked at", "");
    }
  }

  private static Level level(ModelProbe.State state) {
    return switch (state) {
      case WELL -> Level.OK;
      case DOUBTFUL -> Level.WARN;
      case UNUSABLE -> Level.FAIL;
    };
  }

  private static String firstBroker(String bootstrap) {
    var comma = bootstrap.indexOf(',');
    return "kafka://" + (comma < 0 ? bootstrap : bootstrap.substring(0, comma)).strip();
  }

  private static String connect(String url) throws IOException {
    var uri = URI.create(url);
    if (uri.getHost() == null) throw new IOException("there is no host in it");
    var port = uri.getPort() > 0 ? uri.getPort() : usualPort(String.valueOf(uri.getScheme()));
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(uri.getHost(), port), 2_000);
      return "answers at " + uri.getHost() + ":" + port;
    }
  }

  private static int usualPort(String scheme) {
    return switch (scheme) {
      case "kafka" -> 9092;
      case "amqp" -> 5672;
      case "amqps" -> 5671;
      case "https" -> 443;
      default -> 80;
    };
  }

  private void reach(String key, Callable<String> check) {
    try {
      ok(key, check.call());
    } catch (Exception unreachable) {
      add(
          Level.FAIL,
          key,
          "not reachable: " + unreachable.getMessage(),
          "check " + key + " and that the server runs");
    }
  }

  private void keys() {
    var changed =
        settings.entries().stream().filter(entry -> !entry.source().equals("default")).toList();
    for (var entry : changed) ok(entry.key(), entry.value() + " (from " + entry.source() + ")");
    if (changed.isEmpty()) ok("settings", "all at their defaults");
  }

  private void ok(String subject, String what) {
    add(Level.OK, subject, what, "");
  }

  private void add(Level level, String subject, String what, String advice) {
    findings.add(new Finding(subject, level, what, advice));
  }
}
