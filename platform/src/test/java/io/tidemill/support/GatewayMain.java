package io.tidemill.support;

import java.util.Arrays;

/// A gateway as a process.
public final class GatewayMain {
  private GatewayMain() {}

  /// @param arguments Redis' address, then settings
  public static void main(String[] arguments) throws InterruptedException {
    try (var gateway =
        new TestGateway(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length))) {
      System.out.println("ready " + gateway.port());
      Thread.currentThread().join();
    }
  }
}
