package io.tidemill.http.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// Turns the first request of a connection into HTTP/1.1 when it is HTTP/1.0, which Helidon does
/// not speak and which proxies (nginx by default) and health checks (HAProxy) send.
///
/// Such a connection ends after its response, so only its first request can be one.
final class Http10Head {
  // Above what Helidon takes as a request line and headers: it refuses what is longer.
  private static final int LONGEST = 64 * 1024;
  private static final String VERSION = " HTTP/1.0";

  private final String localHost;
  private boolean found;

  /// @param localHost the `Host` of a request that has none: the address that it came to
  Http10Head(String localHost) {
    this.localHost = localHost;
  }

  /// Whether the request was HTTP/1.0.
  boolean isFound() {
    return found;
  }

  /// Reads at least the request line, and all of the head where it is HTTP/1.0.
  ///
  /// @param more the next bytes; empty at the end of the connection
  byte[] read(Supplier<Optional<byte[]>> more) {
    var bytes = more.get().orElse(new byte[0]);
    if (isOther(bytes)) return bytes;
    var head = new ByteArrayOutputStream();
    head.writeBytes(bytes);
    while (head.size() < LONGEST && !isOther(bytes) && end(bytes) < 0) {
      var next = more.get();
      if (next.isEmpty()) return bytes;
      head.writeBytes(next.get());
      bytes = head.toByteArray();
    }
    return isOther(bytes) || end(bytes) < 0 ? bytes : rewritten(bytes, end(bytes));
  }

  // The request line is complete and not of HTTP/1.0.
  private static boolean isOther(byte[] bytes) {
    var line = indexOf(bytes, "\r\n");
    return line >= 0 && !text(bytes, line).endsWith(VERSION);
  }

  private static int end(byte[] bytes) {
    return indexOf(bytes, "\r\n\r\n");
  }

  private byte[] rewritten(byte[] bytes, int end) {
    found = true;
    var lines = new ArrayList<>(List.of(text(bytes, end).split("\r\n", -1)));
    var request = lines.removeFirst();
    // HTTP/1.0 knows no 100 (Continue), and its connections are closed.
    lines.removeIf(line -> isHeader(line, "expect") || isHeader(line, "connection"));
    if (lines.stream().noneMatch(line -> isHeader(line, "host"))) lines.add("Host: " + localHost);
    lines.add("Connection: close");
    var head = request.substring(0, request.length() - 1) + "1\r\n" + String.join("\r\n", lines);
    var out = new ByteArrayOutputStream(bytes.length + 64);
    out.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    out.write(bytes, end, bytes.length - end);
    return out.toByteArray();
  }

  private static boolean isHeader(String line, String name) {
    return line.toLowerCase(Locale.ROOT).startsWith(name + ":");
  }

  private static String text(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  private static int indexOf(byte[] bytes, String wanted) {
    for (int i = 0; i <= bytes.length - wanted.length(); i++) {
      if (isAt(bytes, i, wanted)) return i;
    }
    return -1;
  }

  private static boolean isAt(byte[] bytes, int at, String wanted) {
    for (int i = 0; i < wanted.length(); i++) {
      if (bytes[at + i] != wanted.charAt(i)) return false;
    }
    return true;
  }
}
