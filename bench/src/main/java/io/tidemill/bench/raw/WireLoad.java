package io.tidemill.bench.raw;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Drives a server over many connections with one request under way on each; a thread serves its
/// connections in rounds.
///
/// The same driver for HTTP and for Redis, so that their figures can be compared.
public final class WireLoad {
  private static final int THREADS = 2;

  /// What goes out, and when the answer to it is complete.
  public interface Dialogue {
    byte[] request(int number);

    /// The length of the first answer in the buffer, or -1 while it is incomplete.
    int answerLength(byte[] buffer, int filled);
  }

  private final InetSocketAddress address;
  private final int connections;

  public WireLoad(InetSocketAddress address, int connections) {
    this.address = address;
    this.connections = connections;
  }

  /// Sends `count` requests in all; returns how many a second were answered.
  public double perSecond(int count, Dialogue dialogue) {
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      var perThread = count / THREADS;
      var loads = new ArrayList<Callable<Void>>();
      for (int thread = 0; thread < THREADS; thread++) {
        var first = thread * perThread;
        loads.add(() -> {
          drive(first, perThread, dialogue);
          return null;
        });
      }
      var began = System.nanoTime();
      loads.stream().map(threads::submit).toList().forEach(WireLoad::await);
      return perThread * THREADS / ((System.nanoTime() - began) / 1e9);
    }
  }

  private static void await(Future<Void> done) {
    try {
      done.get();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped", stop);
    } catch (ExecutionException failed) {
      throw new IllegalStateException("the load broke off: " + failed.getCause(), failed);
    }
  }

  private void drive(int first, int count, Dialogue dialogue) {
    var lines = new ArrayList<Line>();
    try {
      for (int i = 0; i < connections / THREADS; i++) lines.add(new Line(new Socket()));
      for (var line : lines) line.connect(address);
      exchange(lines, first, count, dialogue);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } finally {
      lines.forEach(Line::close);
    }
  }

  private static void exchange(List<Line> lines, int first, int count, Dialogue dialogue)
      throws IOException {
    var sent = 0;
    while (sent < count) {
      var round = Math.min(lines.size(), count - sent);
      for (int i = 0; i < round; i++) lines.get(i).send(dialogue.request(first + sent + i));
      for (int i = 0; i < round; i++) lines.get(i).receive(dialogue);
      sent += round;
    }
  }

  /// One connection with what it has received.
  private static final class Line {
    private final Socket socket;
    private final byte[] buffer = new byte[16 * 1024];
    private int filled;

    Line(Socket socket) {
      this.socket = socket;
    }

    void connect(InetSocketAddress address) throws IOException {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30_000);
      socket.connect(address);
    }

    void send(byte[] request) throws IOException {
      socket.getOutputStream().write(request);
    }

    void receive(Dialogue dialogue) throws IOException {
      int length;
      while ((length = dialogue.answerLength(buffer, filled)) < 0) {
        var read = socket.getInputStream().read(buffer, filled, buffer.length - filled);
        if (read < 0) throw new IOException("the server closed the connection");
        filled += read;
      }
      System.arraycopy(buffer, length, buffer, 0, filled - length);
      filled -= length;
    }

    void close() {
      try {
        socket.close();
      } catch (IOException alreadyGone) {
        // There is nothing left to close.
      }
    }
  }
}
