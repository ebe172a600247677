package io.tidemill.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/// Free TCP ports on the loopback interface.
public final class Ports {

  static final InetAddress LOOPBACK = loopback();

  // Below the range from which systems take ports for outgoing connections: a server that restarts
  // on such a port never finds it borrowed by some client.
  private static final int LOWEST = 20_000;
  private static final int BEYOND = 32_000;
  private static final int TRIES = 1_000;
  private static final Duration POLL = Duration.ofMillis(50);

  private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /// The preferred port if it is free on loopback, else a free one. Preferring 0 means any free
  /// one, and no such port is handed out twice.
  public static int freeOr(int preferred) {
    return preferred != 0 && isFree(preferred) ? preferred : anyFree();
  }

  /// Says so in one line where the server itself would print pages.
  static void requireFree(LocalServer server) {
    if (isFree(server.port())) return;
    throw new ServerException(
        "%s on port %d did not start: the port is taken".formatted(server.name(), server.port()),
        null);
  }

  private static int anyFree() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
      if (isFree(port) && HANDED_OUT.add(port)) return port;
    }
    throw new ServerException("no free port between " + LOWEST + " and " + BEYOND, null);
  }

  /// Whether the port is free on loopback, or gets free in that time.
  public static boolean isFreeWithin(int port, Duration time) {
    var deadline = System.nanoTime() + time.toNanos();
    try {
      while (!isFree(port)) {
        if (System.nanoTime() - deadline > 0) return false;
        Thread.sleep(POLL);
      }
      return true;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Whether the port is free on loopback now.
  public static boolean isFree(int port) {
    return !answers(port) && canBind(port);
  }

  // Some systems let a second socket bind to one address of a port that another holds on all.
  private static boolean answers(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(LOOPBACK, port), 200);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  private static boolean canBind(int port) {
    try (var _ = new ServerSocket(port, 1, LOOPBACK)) {
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private static InetAddress loopback() {
    try {
      return InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 1});
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
