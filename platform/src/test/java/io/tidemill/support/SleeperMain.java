package io.tidemill.support;

import java.util.List;

/// A process that does nothing but live, and may have a child that does the same.
public final class SleeperMain {
  private SleeperMain() {}

  /// @param arguments anything for one that has a child; it says the child's process id
  public static void main(String[] arguments) throws InterruptedException {
    var pid = String.valueOf(ProcessHandle.current().pid());
    if (arguments.length > 0) {
      var classPath = List.of("-cp", System.getProperty("java.class.path"));
      pid = ChildJvm.start(classPath, SleeperMain.class, List.of()).awaitReady();
    }
    System.out.println("ready " + pid);
    Thread.currentThread().join();
  }
}
