package io.tidemill.bench.raw;

import io.tidemill.bench.raw.WireLoad.Dialogue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/// The two protocols of the job benchmark, as far as it speaks them.
public final class WireProtocol {
  private static final byte[] ACCEPTED = ascii("HTTP/1.1 202");
  private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
  private static final byte[] HEADERS_END = ascii("\r\n\r\n");

  private WireProtocol() {}

  /// `POST` with a JSON body over a kept connection; anything but 202 is an error.
  public static Dialogue post(String path, String host, String body) {
    var text =
        "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(path, host, body.length(), body);
    var request = text.getBytes(StandardCharsets.US_ASCII);
    return new Dialogue() {
      @Override
      public byte[] request(int number) {
        return request;
      }

      @Override
      public int answerLength(byte[] buffer, int filled) {
        return httpLength(buffer, filled);
      }
    };
  }

  // Our own answers only: no string is made, so that the driver costs little beside the server.
  private static int httpLength(byte[] buffer, int filled) {
    var end = indexOf(buffer, filled, HEADERS_END);
    if (end < 0) return -1;
    if (indexOf(buffer, filled, ACCEPTED) != 0) {
      var answer = new String(buffer, 0, filled, StandardCharsets.ISO_8859_1);
      throw new IllegalStateException("answered " + answer.lines().findFirst().orElse(""));
    }
    var length = 0;
    var at = indexOf(buffer, filled, CONTENT_LENGTH) + CONTENT_LENGTH.length;
    for (; buffer[at] >= '0' && buffer[at] <= '9'; at++) length = length * 10 + buffer[at] - '0';
    var whole = end + HEADERS_END.length + length;
    return filled >= whole ? whole : -1;
  }

  private static int indexOf(byte[] buffer, int filled, byte[] wanted) {
    for (int i = 0; i + wanted.length <= filled; i++) {
      if (Arrays.equals(buffer, i, i + wanted.length, wanted, 0, wanted.length)) return i;
    }
    return -1;
  }

  /// Redis commands, each answered with the bytes given.
  public static Dialogue redis(IntFunction<List<String>> command, String expected) {
    return new Dialogue() {
      @Override
      public byte[] request(int number) {
        return encode(command.apply(number));
      }

      @Override
      public int answerLength(byte[] buffer, int filled) {
        if (filled < expected.length()) return -1;
        var answer = new String(buffer, 0, expected.length(), StandardCharsets.ISO_8859_1);
        if (!answer.equals(expected)) throw new IllegalStateException("Redis answered " + answer);
        return expected.length();
      }
    };
  }

  private static byte[] encode(List<String> command) {
    var out = new ByteArrayOutputStream(512);
    out.writeBytes(ascii("*" + command.size() + "\r\n"));
    for (var part : command) {
      var bytes = part.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(ascii("$" + bytes.length + "\r\n"));
      out.writeBytes(bytes);
      out.writeBytes(ascii("\r\n"));
    }
    return out.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
