package io.tidemill.support;

import io.tidemill.servers.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// Broker-J in a JVM of its own, one for all tests.
public final class BrokerJ implements AmqpBroker {
  private static final class Shared {
    static final BrokerJ BROKER = new BrokerJ();
  }

  private final Path dir;
  private final int port = Ports.freeOr(0);
  private ChildJvm process;

  private BrokerJ() {
    try {
      dir = Files.createTempDirectory("tidemill-broker-j");
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
    process = start();
    Runtime.getRuntime().addShutdownHook(new Thread(this::end));
  }

  /// The one of this JVM.
  public static BrokerJ shared() {
    return Shared.BROKER;
  }

  private ChildJvm start() {
    var child = new ChildJvm(AmqpServerMain.class, dir.toString(), String.valueOf(port));
    child.awaitReady();
    return child;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void kill() {
    process.kill();
  }

  @Override
  public void restart() {
    process = start();
  }

  /// What it printed since it was last started.
  public String output() {
    return process.output();
  }

  private void end() {
    process.kill();
    delete(dir);
  }

  static void delete(Path dir) {
    try (var files = Files.walk(dir)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException | UncheckedIOException busy) {
      // It lies in the system's folder for such things.
    }
  }
}
