package io.tidemill.support;

import java.util.Arrays;

/// A worker as a process.
public final class WorkerMain {
  private WorkerMain() {}

  /// @param arguments Redis' address, the consumer's name, then settings
  public static void main(String[] arguments) throws InterruptedException {
    try (var _ =
        new TestWorker(
            arguments[0], arguments[1], Arrays.copyOfRange(arguments, 2, arguments.length))) {
      System.out.println("ready " + arguments[1]);
      Thread.currentThread().join();
    }
  }
}
