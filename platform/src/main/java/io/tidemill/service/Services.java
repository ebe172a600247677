package io.tidemill.service;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Services of one process: started in order, stopped in reverse, each stopped exactly once.
public final class Services implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Services.class);

  private final List<Service> services;
  private final Deque<Service> running = new ArrayDeque<>();

  public Services(List<? extends Service> services) {
    this.services = List.copyOf(services);
  }

  /// Starts all of them, or none: when one fails, those before it are stopped and its error is
  /// thrown.
  public synchronized void start() {
    for (var service : services) {
      try {
        service.start();
      } catch (RuntimeException | Error failed) {
        close();
        throw failed;
      }
      running.push(service);
      log.debug("started {}", service.name());
    }
  }

  @Override
  public synchronized void close() {
    while (!running.isEmpty()) {
      stop(running.pop());
    }
  }

  private static void stop(Service service) {
    try {
      service.stop();
      log.debug("stopped {}", service.name());
    } catch (RuntimeException failed) {
      log.warn("{} did not stop cleanly", service.name(), failed);
    }
  }
}
