package io.tidemill.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Stands between a client and a server and breaks what it is told to break.
public final class FaultProxy implements AutoCloseable {
  /// What happens to one connection; asked for every piece of bytes that passes.
  public interface Fault {
    /// Whether to let this piece through; may close the connection.
    boolean passes(Wire wire, boolean fromClient, byte[] piece) throws IOException;
  }

  /// Lets everything through.
  public static final Fault NONE = (_, _, _) -> true;

  /// One connection through the proxy.
  public record Wire(Socket client, Socket server) {
    /// Ends it politely.
    public void fin() throws IOException {
      client.close();
      server.close();
    }

    /// Ends it with a reset, unless it has ended meanwhile.
    public void reset() throws IOException {
      try {
        client.setSoLinger(true, 0);
      } catch (SocketException closed) {
        // One of the sides was quicker.
      }
      fin();
    }
  }

  private final ServerSocket listener;
  private final int target;
  private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
  private volatile Fault fault = NONE;

  public FaultProxy(int target) {
    this.target = target;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  public String redisUrl() {
    return "redis://127.0.0.1:" + port();
  }

  /// From now on this happens.
  public void breakWith(Fault next) {
    fault = next;
  }

  /// Resets every open connection.
  public void resetAll() throws IOException {
    for (var wire : wires) wire.reset();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var client = listener.accept();
        var wire = new Wire(client, new Socket(InetAddress.getLoopbackAddress(), target));
        client.setTcpNoDelay(true);
        wire.server().setTcpNoDelay(true);
        wires.add(wire);
        Thread.ofVirtual().start(() -> pump(wire, true));
        Thread.ofVirtual().start(() -> pump(wire, false));
      } catch (IOException closed) {
        // The proxy ends, or the server refused: the client finds out by itself.
      }
    }
  }

  private void pump(Wire wire, boolean fromClient) {
    var buffer = new byte[64 * 1024];
    try {
      InputStream in = (fromClient ? wire.client() : wire.server()).getInputStream();
      OutputStream out = (fromClient ? wire.server() : wire.client()).getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        var piece = java.util.Arrays.copyOf(buffer, n);
        if (fault.passes(wire, fromClient, piece)) out.write(piece);
      }
      wire.fin();
    } catch (IOException gone) {
      try {
        wire.fin();
      } catch (IOException alreadyGone) {
        // Both sides know.
      }
    } finally {
      wires.remove(wire);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (var wire : wires) wire.fin();
  }
}
