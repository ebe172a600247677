package io.tidemill.servers;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One Kafka broker with its own controller, inside this JVM.
///
/// An acknowledged record is in the page cache: it survives the death of this process, not that of
/// the machine.
public final class KafkaServer implements LocalServer {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaServer.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

  private final Path dir;
  private final int port;
  private @Nullable KafkaRaftServer server;

  /// @param port 0 for any free one
  public KafkaServer(Path dir, int port) {
    this.dir = dir.toAbsolutePath();
    this.port = port == 0 ? Ports.freeOr(0) : port;
  }

  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  public synchronized void start() {
    if (server != null) throw new IllegalStateException("kafka is already started");
    Ports.requireFree(this);
    surviveFatalFaults();
    try {
      format();
      server = new KafkaRaftServer(new KafkaConfig(settings(), false), Time.SYSTEM);
      server.startup();
    } catch (Exception e) {
      close(); // its threads would keep the JVM alive
      throw ServerException.starting(this, e);
    }
  }

  @Override
  public synchronized void close() {
    var stopping = server;
    if (stopping == null) return;
    server = null;
    TimeLimit.stop("kafka", STOP_LIMIT, () -> stop(stopping));
  }

  private static void stop(KafkaRaftServer server) {
    server.shutdown();
    server.awaitShutdown();
  }

  // Kafka ends the JVM when it cannot go on; here it shares the JVM with the rest of the product.
  private static void surviveFatalFaults() {
    Exit.setExitProcedure((status, message) -> fatal("exit", status, message));
    Exit.setHaltProcedure((status, message) -> fatal("halt", status, message));
  }

  private static void fatal(String how, int status, @Nullable String message) {
    LOG.error("kafka wanted to {} this JVM with status {}: {}", how, status, message);
  }

  /// What `kafka-storage format` does, once per directory.
  private void format() throws Exception {
    if (Files.exists(dir.resolve("meta.properties"))) return;
    Files.createDirectories(dir);
    new Formatter()
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setNodeId(1)
        .setClusterId(Uuid.randomUuid().toString())
        .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setControllerListenerName("CONTROLLER")
        .addDirectory(dir.toString())
        .setMetadataLogDirectory(dir.toString())
        .setIgnoreFormatted(true)
        .run();
  }

  private Properties settings() {
    int controllerPort = Ports.freeOr(0);
    var all = new Properties();
    all.put("process.roles", "broker,controller");
    all.put("node.id", "1");
    all.put("log.dirs", dir.toString());
    all.put(
        "listeners",
        "PLAINTEXT://%s,CONTROLLER://127.0.0.1:%d".formatted(address(), controllerPort));
    all.put("advertised.listeners", "PLAINTEXT://" + address());
    all.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    all.put("controller.listener.names", "CONTROLLER");
    all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    all.put("inter.broker.listener.name", "PLAINTEXT");
    all.put("auto.create.topics.enable", "false");
    all.putAll(ALONE);
    all.putAll(SMALL);
    all.putAll(QUICK);
    return all;
  }

  private static final Map<String, String> ALONE =
      Map.ofEntries(
          Map.entry("default.replication.factor", "1"),
          Map.entry("min.insync.replicas", "1"),
          Map.entry("offsets.topic.num.partitions", "1"),
          Map.entry("offsets.topic.replication.factor", "1"),
          Map.entry("transaction.state.log.num.partitions", "1"),
          Map.entry("transaction.state.log.replication.factor", "1"),
          Map.entry("transaction.state.log.min.isr", "1"),
          Map.entry("share.coordinator.state.topic.num.partitions", "1"),
          Map.entry("share.coordinator.state.topic.replication.factor", "1"),
          Map.entry("share.coordinator.state.topic.min.isr", "1"));

  // The cleaner's buffer (128 MB by default) and the index files (10 MB) are allocated eagerly.
  private static final Map<String, String> SMALL =
      Map.of(
          "log.cleaner.dedupe.buffer.size", "2097152",
          "log.index.size.max.bytes", "1048576",
          "log.segment.bytes", "67108864",
          "num.network.threads", "1",
          "num.io.threads", "2",
          "background.threads", "1",
          "num.recovery.threads.per.data.dir", "1");

  // After a kill the broker's former self counts as alive until its session ends: that is how long
  // the next start takes.
  private static final Map<String, String> QUICK =
      Map.of(
          "controller.quorum.election.timeout.ms", "50",
          "controller.quorum.election.backoff.max.ms", "50",
          "broker.heartbeat.interval.ms", "500",
          "broker.session.timeout.ms", "3000",
          "group.initial.rebalance.delay.ms", "0",
          "group.min.session.timeout.ms", "1000",
          "group.consumer.min.heartbeat.interval.ms", "200",
          "group.consumer.heartbeat.interval.ms", "500",
          "group.share.min.heartbeat.interval.ms", "200",
          "group.share.heartbeat.interval.ms", "500");
}
