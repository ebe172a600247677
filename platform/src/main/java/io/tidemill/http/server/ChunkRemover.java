package io.tidemill.http.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Takes the chunked encoding out of one response, whose end then is the end of the connection:
/// clients of HTTP/1.0 can't read chunks.
final class ChunkRemover {
  private enum Part {
    HEAD,
    PLAIN,
    SIZE,
    DATA,
    DATA_END,
    OVER
  }

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private Part part = Part.HEAD;
  private long left;

  /// The bytes to write in place of these; responses may be cut into pieces anywhere.
  byte[] convert(byte[] bytes) {
    var out = new ByteArrayOutputStream(bytes.length);
    var at = 0;
    while (at < bytes.length) {
      at =
          switch (part) {
            case HEAD -> head(bytes, at, out);
            case PLAIN -> copy(bytes, at, bytes.length - at, out);
            case SIZE -> size(bytes, at);
            case DATA -> data(bytes, at, out);
            case DATA_END -> dataEnd(bytes, at);
            case OVER -> bytes.length; // trailers
          };
    }
    return out.toByteArray();
  }

  private int head(byte[] bytes, int at, ByteArrayOutputStream out) {
    line.write(bytes[at]);
    if (bytes[at] == '\n' && text().endsWith("\r\n\r\n")) {
      var lines = new ArrayList<>(List.of(text().split("\r\n", -1)));
      var chunked = lines.removeIf(ChunkRemover::isChunked);
      out.writeBytes(String.join("\r\n", lines).getBytes(StandardCharsets.ISO_8859_1));
      next(chunked ? Part.SIZE : Part.PLAIN);
    }
    return at + 1;
  }

  private static boolean isChunked(String header) {
    return header.toLowerCase(Locale.ROOT).startsWith("transfer-encoding:");
  }

  private int size(byte[] bytes, int at) {
    if (bytes[at] != '\n') {
      line.write(bytes[at]);
      return at + 1;
    }
    left = Long.parseLong(text().strip(), 16);
    next(left == 0 ? Part.OVER : Part.DATA);
    return at + 1;
  }

  private int data(byte[] bytes, int at, ByteArrayOutputStream out) {
    var length = (int) Math.min(left, bytes.length - at);
    left -= length;
    if (left == 0) next(Part.DATA_END);
    return copy(bytes, at, length, out);
  }

  private int dataEnd(byte[] bytes, int at) {
    if (bytes[at] == '\n') next(Part.SIZE);
    return at + 1;
  }

  private static int copy(byte[] bytes, int at, int length, ByteArrayOutputStream out) {
    out.write(bytes, at, length);
    return at + length;
  }

  private void next(Part following) {
    part = following;
    line.reset();
  }

  private String text() {
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
