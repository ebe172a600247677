package io.tidemill.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// How fast something went, and what it cost this process, local servers included.
///
/// @param micros of CPU for each
record Throughput(double perSecond, double micros) {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final Path STATUS = Path.of("/proc/self/status");

  /// Something to measure.
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  static Throughput of(int count, Work work) throws IOException, InterruptedException {
    var cpu = SYSTEM.getProcessCpuTime();
    var began = System.nanoTime();
    work.run();
    var seconds = (System.nanoTime() - began) / 1e9;
    return new Throughput(count / seconds, (SYSTEM.getProcessCpuTime() - cpu) / 1e3 / count);
  }

  /// Both together, as many of the one as of the other.
  Throughput and(Throughput other) {
    return new Throughput(2 / (1 / perSecond + 1 / other.perSecond), (micros + other.micros) / 2);
  }

  static double load() {
    return Math.max(0, SYSTEM.getSystemLoadAverage());
  }

  /// Memory of this process in MB, as the machine sees it where that can be known.
  static double memory() throws IOException {
    if (Files.exists(STATUS)) {
      for (var line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
      }
    }
    return Runtime.getRuntime().totalMemory() / 1e6;
  }
}
