package io.tidemill.app;

import io.tidemill.analytics.Analytics;
import io.tidemill.app.upgrade.Upgrade;
import io.tidemill.app.wiring.DataConfig;
import io.tidemill.app.wiring.Endpoints;
import io.tidemill.app.wiring.Role;
import io.tidemill.cli.client.Commands.Finding;
import io.tidemill.cli.client.Commands.Level;
import io.tidemill.cli.client.Version;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.llm.LlmConfig;
import io.tidemill.llm.ModelProbe;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisHealth;
import io.tidemill.servers.Ports;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
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
    var listen = ListenAddress.of(settings, Role.ALL);
    var port = listen.http().port();
    if (listen.isFree()) ok("http.port", port + " is free");
    else {
      add(
          Level.FAIL,
          "http.port",
          port + " is taken",
          "stop the program that has it, or start with --http-port N");
    }
    settings.section(ServersConfig.class).ports(Endpoints.configured(settings)).forEach(this::port);
  }

  private void port(String key, int port) {
    if (port == 0 || Ports.isFree(port)) ok(key, port == 0 ? "any free one" : port + " is free");
    else if (settings.isSet(key)) {
      add(
          Level.FAIL,
          key,
          port + " is taken",
          "stop the program that has it, or set another port (0 = any free one)");
    } else add(Level.WARN, key, port + " is taken", "`up` takes a free one and prints it");
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
      var broker = endpoints.kafka().brokers().getFirst();
      reach("kafka.bootstrap", () -> connect(ServerAddress.ofBroker(broker)));
    }
    if (!endpoints.amqp().url().isEmpty())
      reach("amqp.url", () -> connect(ServerAddress.of(endpoints.amqp().url())));
    if (!endpoints.s3().endpoint().isEmpty())
      reach("s3.endpoint", () -> connect(ServerAddress.of(endpoints.s3().endpoint())));
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

  private static String connect(ServerAddress server) throws IOException {
    server.connect();
    return "answers at " + server;
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
