package io.tidemill.support;

import io.tidemill.servers.AmqpServer;
import java.nio.file.Path;

/// Broker-J as a process that does not outlive the one that started it.
public final class AmqpServerMain {
  private AmqpServerMain() {}

  /// @param arguments the directory and the port
  public static void main(String[] arguments) {
    var server =
        new AmqpServer(Path.of(arguments[0]), Integer.parseInt(arguments[1]), "guest", "guest");
    server.start();
    System.out.println("ready " + arguments[1]);
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
    Runtime.getRuntime().halt(1);
  }
}
