package io.tidemill.bench;

import io.tidemill.bench.WireLoad.Dialogue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;

/// The two protocols of the job benchmark, as far as it speaks them.
final class Dialogues {
  private Dialogues() {}

  /// `POST` with a JSON body over a kept connection; anything but 202 is an error.
  static Dialogue post(String path, String host, String body) {
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
        return httpLength(new String(buffer, 0, filled, StandardCharsets.ISO_8859_1));
      }
    };
  }

  private static int httpLength(String answer) {
    var end = answer.indexOf("\r\n\r\n");
    if (end < 0) return -1;
    if (!answer.startsWith("HTTP/1.1 202")) {
      throw new IllegalStateException("answered " + answer.lines().findFirst().orElse(""));
    }
    var name = "content-length:";
    var at = answer.toLowerCase(java.util.Locale.ROOT).indexOf(name) + name.length();
    var length = Integer.parseInt(answer.substring(at, answer.indexOf('\r', at)).strip());
    return answer.length() >= end + 4 + length ? end + 4 + length : -1;
  }

  /// Redis commands, each answered with the bytes given.
  static Dialogue redis(IntFunction<List<String>> command, String expected) {
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
