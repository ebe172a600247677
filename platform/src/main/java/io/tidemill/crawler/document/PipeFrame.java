package io.tidemill.crawler.document;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What parent and child say to each other: texts and bodies, each behind its length.
final class PipeFrame {
  /// First of every answer: whatever else a child prints is not mistaken for one.
  static final int MARK = 0x54444D31;

  static final byte DONE = 0;
  static final byte FAILED = 1;

  /// No date.
  static final long NEVER = Long.MIN_VALUE;

  private PipeFrame() {}

  static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static byte[] readBytes(DataInputStream in, int most) throws IOException {
    var length = in.readInt();
    if (length < 0 || length > most) throw new IOException("a frame of " + length + " bytes");
    return in.readNBytes(length);
  }

  static void writeText(DataOutputStream out, String text) throws IOException {
    writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
  }

  static String readText(DataInputStream in, int mostChars) throws IOException {
    return new String(readBytes(in, mostChars * 4), StandardCharsets.UTF_8);
  }
}
