package io.tidemill.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts and stops several servers side by side.
public final class LocalServers {

  private static final Logger LOG = LoggerFactory.getLogger(LocalServers.class);

  private LocalServers() {}

  /// Starts all of them and returns when every one accepts requests. If one fails, the others are
  /// closed and its failure is thrown.
  public static void startAll(List<? extends LocalServer> servers) {
    // On virtual threads class initialisation can pin every carrier while each waits for another,
    // and the set-up of System.Logger is where they met.
    LOG.debug("logging through {}", System.getLogger(LocalServers.class.getName()));

    Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    boolean allDone = sideBySide("start-", servers, server -> start(server, failures));
    var failure = failures.poll();
    if (failure == null && allDone) return;

    closeAll(servers);
    if (failure == null) throw new ServerException("interrupted while starting", null);
    failures.forEach(failure::addSuppressed);
    throw failure;
  }

  /// Closes all of them, those that never started too.
  public static void closeAll(List<? extends LocalServer> servers) {
    sideBySide("close-", servers, LocalServers::close);
  }

  private static void start(LocalServer server, Queue<RuntimeException> failures) {
    try {
      server.start();
    } catch (RuntimeException | LinkageError e) {
      failures.add(ServerException.starting(server, e));
    }
  }

  private static void close(LocalServer server) {
    try {
      server.close();
    } catch (RuntimeException e) {
      LOG.warn("{} failed while it closed", server.name(), e);
    }
  }

  /// Waits to the end even when interrupted, since a half-started server cannot be closed.
  ///
  /// @return whether it was not interrupted
  private static boolean sideBySide(
      String verb, List<? extends LocalServer> servers, Consumer<LocalServer> action) {
    var threads = new ArrayList<Thread>();
    for (var server : servers) {
      threads.add(
          Thread.ofPlatform().name(verb + server.name()).start(() -> action.accept(server)));
    }
    boolean interrupted = false;
    for (var thread : threads) interrupted |= joinUninterruptibly(thread);
    if (interrupted) Thread.currentThread().interrupt();
    return !interrupted;
  }

  private static boolean joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }
}
