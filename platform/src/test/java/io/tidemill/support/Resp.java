package io.tidemill.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A Redis client of thirty lines: what somebody else's program, which knows nothing of ours, would
/// send. One thread at a time.
public final class Resp implements AutoCloseable {
  /// An error that Redis answered.
  public static final class Refused extends RuntimeException {
    Refused(String message) {
      super(message);
    }
  }

  /// One entry of a stream.
  public record Entry(String id, Map<String, String> fields) {}

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  public Resp(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(20_000);
      socket.setTcpNoDelay(true);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      out = socket.getOutputStream();
    } catch (IOException unreachable) {
      throw new UncheckedIOException(unreachable);
    }
  }

  /// Sends one command; a part is its bytes, or its text.
  public Object call(Object... parts) {
    try {
      send(parts);
      return read();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /// Sends one command and does not wait.
  public void send(Object... parts) throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ascii("*" + parts.length + "\r\n"));
    for (var part : parts) {
      var text =
          part instanceof byte[] raw ? raw : part.toString().getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(ascii("$" + text.length + "\r\n"));
      bytes.writeBytes(text);
      bytes.writeBytes(ascii("\r\n"));
    }
    bytes.writeTo(out);
    out.flush();
  }

  /// The next answer: text, number, list or null.
  public Object read() throws IOException {
    var line = line();
    var rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> throw new Refused(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> array(Integer.parseInt(rest));
      default -> throw new IOException("not RESP: " + line);
    };
  }

  private Object bulk(int length) throws IOException {
    if (length < 0) return null;
    var bytes = in.readNBytes(length);
    in.skipNBytes(2);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private Object array(int length) throws IOException {
    if (length < 0) return null;
    var list = new ArrayList<Object>();
    for (int i = 0; i < length; i++) list.add(read());
    return list;
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int b = in.readUnsignedByte(); b != '\r'; b = in.readUnsignedByte()) line.append((char) b);
    in.skipNBytes(1);
    return line.toString();
  }

  /// The fields of a hash.
  public Map<String, String> hash(String key) {
    return map(list(call("HGETALL", key)));
  }

  /// All entries of a stream.
  public List<Entry> stream(String key) {
    return list(call("XRANGE", key, "-", "+")).stream().map(Resp::entry).toList();
  }

  /// The types of a job's events, in order.
  public List<String> types(String jobId) {
    return stream("job:" + jobId + ":events").stream()
        .map(event -> event.fields().getOrDefault("type", ""))
        .toList();
  }

  /// How many of a job's events are terminal.
  public long ends(String jobId) {
    return types(jobId).stream().filter(List.of("done", "error", "canceled")::contains).count();
  }

  /// A number that Redis answered.
  public long number(Object... parts) {
    return (Long) call(parts);
  }

  /// One entry, as XRANGE and XREADGROUP answer it.
  public static Entry entry(Object reply) {
    var pair = list(reply);
    return new Entry((String) pair.get(0), map(list(pair.get(1))));
  }

  @SuppressWarnings("unchecked")
  public static List<Object> list(Object reply) {
    return reply == null ? List.of() : (List<Object>) reply;
  }

  private static Map<String, String> map(List<Object> flat) {
    var map = new LinkedHashMap<String, String>();
    for (int i = 0; i < flat.size(); i += 2)
      map.put((String) flat.get(i), (String) flat.get(i + 1));
    return map;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
