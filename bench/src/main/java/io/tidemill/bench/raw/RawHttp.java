package io.tidemill.bench.raw;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;

/// One connection that asks for one path after the other, and does no more than find the end of
/// each answer.
public final class RawHttp implements AutoCloseable {
  private static final String LENGTH = "\r\ncontent-length:";

  private final Socket socket;
  private final String rest;
  private final byte[] buffer = new byte[64 * 1024];
  private int filled;

  public RawHttp(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
    rest = " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
  }

  /// The status of the answer, whose body has been read.
  public int get(String path) throws IOException {
    socket.getOutputStream().write(("GET " + path + rest).getBytes(ISO_8859_1));
    filled = 0;
    int end;
    while ((end = headEnd()) < 0) fill();
    var head = new String(buffer, 0, end, ISO_8859_1).toLowerCase(Locale.ROOT);
    var at = head.indexOf(LENGTH);
    if (at < 0) throw new IOException("an answer without its length");
    var line = head.substring(at + LENGTH.length()).lines().findFirst().orElse("");
    var left = Integer.parseInt(line.strip()) - (filled - end);
    while (left > 0) {
      filled = 0;
      fill();
      left -= filled;
    }
    return Integer.parseInt(head.substring(9, 12));
  }

  private void fill() throws IOException {
    var read = socket.getInputStream().read(buffer, filled, buffer.length - filled);
    if (read < 0) throw new IOException("the server closed the connection");
    filled += read;
  }

  private int headEnd() {
    for (int i = 3; i < filled; i++) {
      if (buffer[i] == '\n' && buffer[i - 2] == '\n') return i + 1;
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
