package io.tidemill.support;

import static org.awaitility.Awaitility.await;

import io.tidemill.servers.Ports;
import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// Debian's RabbitMQ as a child process, one for all tests; what needs it is skipped without it.
public final class RabbitMq implements AmqpBroker {
  private static final Path BIN = Path.of("/usr/lib/rabbitmq/bin");
  private static final Path EPMD = Path.of("/usr/bin/epmd");

  // The shell's input is a pipe from this JVM: when it closes, however that came, the broker ends.
  private static final String SHELL =
      """
      exec 3<&0 </dev/null
      "$1" >"$2/out" 2>&1 3<&- &
      read -r line <&3
      kill -KILL $(cat "$2/pid") 2>/dev/null
      """;

  private static final class Shared {
    static final RabbitMq BROKER = new RabbitMq();
  }

  private final Path dir;
  private final int port = Ports.freeOr(0);
  private final int names = Ports.freeOr(0);
  private final int cluster = Ports.freeOr(0);
  private final int management = Ports.freeOr(0);
  private final Process nameServer;
  private Process shell;

  private RabbitMq() {
    try {
      dir = Files.createTempDirectory("tidemill-rabbitmq");
      prepare();
      nameServer =
          new ProcessBuilder(
                  ChildProcessGuard.guarded(
                      List.of(
                          EPMD.toString(),
                          "-address",
                          "127.0.0.1",
                          "-port",
                          String.valueOf(names))))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(this::end));
      shell = start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// The one of this JVM; the test is skipped where RabbitMQ is not installed.
  public static RabbitMq shared() {
    var there = Files.isExecutable(BIN.resolve("rabbitmq-server")) && Files.isExecutable(EPMD);
    Assumptions.assumeTrue(there, "rabbitmq-server is not installed");
    return Shared.BROKER;
  }

  private void prepare() throws IOException {
    var home = Files.createDirectory(dir.resolve("home"));
    var cookie = Files.writeString(home.resolve(".erlang.cookie"), "TIDEMILLTESTS");
    Files.setPosixFilePermissions(cookie, PosixFilePermissions.fromString("r--------"));
    Files.writeString(dir.resolve("plugins"), "[].");
    Files.writeString(
        dir.resolve("rabbitmq.conf"),
        """
        loopback_users = none
        default_user = guest
        default_pass = guest
        log.console = false
        vm_memory_high_watermark.absolute = 512MB
        disk_free_limit.absolute = 50MB
        management.tcp.ip = 127.0.0.1
        management.tcp.port = %d
        """
            .formatted(management));
  }

  private Process start() throws IOException {
    var process =
        environment(
                new ProcessBuilder(
                    "/bin/sh",
                    "-c",
                    SHELL,
                    "rabbitmq",
                    BIN.resolve("rabbitmq-server").toString(),
                    dir.toString()))
            .start();
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).until(this::accepts);
    return process;
  }

  private ProcessBuilder environment(ProcessBuilder command) {
    var environment = command.environment();
    environment.put("HOME", dir.resolve("home").toString());
    environment.put("ERL_EPMD_PORT", String.valueOf(names));
    environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    environment.put("RABBITMQ_NODENAME", "test" + port + "@localhost");
    environment.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
    environment.put("RABBITMQ_NODE_PORT", String.valueOf(port));
    environment.put("RABBITMQ_DIST_PORT", String.valueOf(cluster));
    environment.put("RABBITMQ_MNESIA_BASE", dir.resolve("mnesia").toString());
    environment.put("RABBITMQ_LOG_BASE", dir.resolve("log").toString());
    environment.put("RABBITMQ_PID_FILE", dir.resolve("pid").toString());
    environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
    environment.put("RABBITMQ_CONFIG_FILE", dir.resolve("rabbitmq.conf").toString());
    environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", dir.resolve("plugins").toString());
    environment.put(
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
        "-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none");
    return command.redirectErrorStream(true).redirectOutput(dir.resolve("shell").toFile());
  }

  private boolean accepts() {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /// Starts the management API, if it is not there yet, and says where it is.
  public String managementUrl() {
    tool("rabbitmq-plugins", "enable", "rabbitmq_management");
    return "http://127.0.0.1:" + management;
  }

  /// Runs `rabbitmqctl`.
  public void control(String... arguments) {
    tool("rabbitmqctl", arguments);
  }

  private void tool(String name, String... arguments) {
    var command = new ArrayList<>(List.of(BIN.resolve(name).toString()));
    command.addAll(List.of(arguments));
    try {
      var process = environment(new ProcessBuilder(command)).start();
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError(command + ": " + Files.readString(dir.resolve("shell")));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void kill() {
    broker()
        .ifPresent(broker -> {
          broker.destroyForcibly();
          broker.onExit().join();
        });
    shell.destroyForcibly();
  }

  private Optional<ProcessHandle> broker() {
    try {
      var pid = Files.readString(dir.resolve("pid")).strip();
      return ProcessHandle.of(Long.parseLong(pid));
    } catch (IOException | NumberFormatException neverStarted) {
      return Optional.empty();
    }
  }

  @Override
  public void restart() {
    try {
      Files.deleteIfExists(dir.resolve("pid"));
      shell = start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void end() {
    kill();
    nameServer.destroyForcibly();
    BrokerJ.delete(dir);
  }
}
