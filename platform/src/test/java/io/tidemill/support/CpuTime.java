package io.tidemill.support;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/// Measures work by the processor time of its thread, which a busy machine does not stretch.
public final class CpuTime {
  private CpuTime() {}

  /// The processor time that some work takes.
  public static Duration of(Runnable work) {
    var threads = ManagementFactory.getThreadMXBean();
    long started = threads.getCurrentThreadCpuTime();
    work.run();
    return Duration.ofNanos(threads.getCurrentThreadCpuTime() - started);
  }
}
