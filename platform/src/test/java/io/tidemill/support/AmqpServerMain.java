package io.tidemill.support;

import io.tidemill.servers.AmqpServer;
import java.nio.file.Path;

/// Broker-J as a process.
public final class AmqpServerMain {
  private AmqpServerMain() {}

  /// @param arguments the directory and the port
  public static void main(String[] arguments) throws InterruptedException {
    var server =
        new AmqpServer(Path.of(arguments[0]), Integer.parseInt(arguments[1]), "guest", "guest");
    server.start();
    System.out.println("ready " + arguments[1]);
    Thread.currentThread().join();
  }
}
