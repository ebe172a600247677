package io.tidemill.observe;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;

/// The meters of one process, the JVM's among them, in Prometheus' text form.
public final class Metrics implements AutoCloseable {
  /// What [#scrape] returns.
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double NANOS = 1e9;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();

  public Metrics() {
    registry
        .config()
        .meterFilter(new MeterDescriptions())
        .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time")) // in nanoseconds
        .meterFilter(renamed("system.cpu.count", "system.cpus")); // _count is for histograms
    var cpu = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    FunctionCounter.builder("process.cpu", cpu, os -> os.getProcessCpuTime() / NANOS)
        .description("CPU time that this process used.")
        .baseUnit("seconds")
        .register(registry);
    gc.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
  }

  private static MeterFilter renamed(String from, String to) {
    return new MeterFilter() {
      @Override
      public Meter.Id map(Meter.Id id) {
        return id.getName().equals(from) ? id.withName(to) : id;
      }
    };
  }

  public MeterRegistry registry() {
    return registry;
  }

  /// All meters as they are now.
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
