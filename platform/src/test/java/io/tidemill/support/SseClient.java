package io.tidemill.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A reader of event streams over a bare socket: it can stop, stall and leave as it likes.
public final class SseClient implements AutoCloseable {
  /// One event, as the WHATWG standard dispatches it.
  public record Event(String id, String type, String data) {}

  private final Socket socket;
  private final InputStream in;
  private final StringBuilder raw = new StringBuilder();
  private int comments;
  private boolean ended;

  /// The status line and headers of the answer.
  public final String head;

  public SseClient(int port, String path, String lastEventId) throws IOException {
    socket = new Socket();
    socket.setReceiveBufferSize(8 * 1024);
    socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout(30_000);
    var request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
            + (lastEventId == null ? "" : "Last-Event-ID: " + lastEventId + "\r\n")
            + "\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    in = new BufferedInputStream(socket.getInputStream());
    var text = new StringBuilder();
    for (var line = httpLine(); !line.isEmpty(); line = httpLine()) text.append(line).append('\n');
    head = text.toString();
    chunked = head.toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked");
  }

  private final boolean chunked;
  private long chunkLeft;

  public int status() {
    return Integer.parseInt(head.substring(9, 12));
  }

  /// The next event; null at the end of the stream. Comments are counted and skipped.
  public Event next() throws IOException {
    String id = null;
    var type = "message";
    var data = new ArrayList<String>();
    while (true) {
      var line = line();
      if (line == null) return null;
      if (line.isEmpty()) {
        if (!data.isEmpty()) return new Event(id, type, String.join("\n", data));
        id = null;
        type = "message";
        continue;
      }
      var colon = line.indexOf(':');
      var name = colon < 0 ? line : line.substring(0, colon);
      var value = colon < 0 ? "" : line.substring(colon + 1);
      if (value.startsWith(" ")) value = value.substring(1);
      switch (name) {
        case "" -> comments++;
        case "id" -> id = value;
        case "event" -> type = value;
        case "data" -> data.add(value);
        default -> {}
      }
    }
  }

  /// Everything up to the end of the stream, or until somebody else closes it.
  public List<Event> rest() throws IOException {
    var events = new ArrayList<Event>();
    for (var event = next(); event != null; event = next()) events.add(event);
    return events;
  }

  /// Heartbeats seen so far.
  public int comments() {
    return comments;
  }

  /// The body's text so far.
  public String raw() {
    return raw.toString();
  }

  // Lines end with LF in what we write; CR alone would be a fault that shows up in a field.
  private String line() throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (int b = read(); b != '\n'; b = read()) {
      if (b < 0) return null;
      bytes.write(b);
    }
    var line = bytes.toString(StandardCharsets.UTF_8);
    raw.append(line).append('\n');
    return line;
  }

  private int read() throws IOException {
    if (!chunked) return in.read();
    if (ended) return -1;
    if (chunkLeft == 0) {
      chunkLeft = Long.parseLong(httpLine(), 16);
      if (chunkLeft == 0) {
        ended = true;
        return -1;
      }
    }
    var b = in.read();
    if (--chunkLeft == 0) httpLine();
    return b;
  }

  private String httpLine() throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) throw new IOException("the connection ended inside a line");
      if (b != '\r') line.append((char) b);
    }
    return line.toString();
  }

  /// Leaves without a word.
  @Override
  public void close() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }
}
