package io.tidemill.app.wiring;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// A name that no other worker has or ever had: it identifies the holder of a lease.
final class WorkerName {
  private WorkerName() {}

  static String unique() {
    var random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    return host() + "-" + ProcessHandle.current().pid() + "-" + random;
  }

  /// The name of this process for people.
  static String process() {
    return host() + ":" + ProcessHandle.current().pid();
  }

  /// This machine.
  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9.-]", "_");
    } catch (UnknownHostException unnamed) {
      return "worker";
    }
  }
}
