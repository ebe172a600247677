package io.tidemill.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/// A client that says exactly what it is told to say.
public final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 15_000;

  private final Socket socket = new Socket();
  private final BufferedReader in;

  public RawClient(int port) {
    try {
      socket.setReceiveBufferSize(4096); // a client that stops reading soon fills it
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public RawClient say(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  String line() throws IOException {
    return in.readLine();
  }

  /// Reads until a line contains the text.
  public void await(String text) throws IOException {
    for (var line = in.readLine(); line != null; line = in.readLine()) {
      if (line.contains(text)) return;
    }
    throw new IOException("ended before " + text);
  }

  /// Everything until the server closes; a reset counts as closing.
  public String rest() {
    var text = new StringBuilder();
    try {
      in.lines().forEach(line -> text.append(line).append('\n'));
    } catch (UncheckedIOException reset) {
      if (reset.getCause() instanceof java.net.SocketTimeoutException) throw reset;
    }
    return text.toString();
  }

  public static String headers(String answer) {
    return answer.lines().takeWhile(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
