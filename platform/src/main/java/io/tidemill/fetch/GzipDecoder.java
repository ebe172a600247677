package io.tidemill.fetch;

import io.tidemill.fetch.connection.FetchException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Unpacks gzip from memory to memory: all members, with their checksums.
final class GzipDecoder {
  private static final int DEFLATE = 8;
  private static final int HEADER = 10;
  private static final int TRAILER = 8;
  private static final int HAS_CHECKSUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final Inflater inflater;
  private final byte[] in;
  private final int end;
  private final boolean isCut;
  private final CRC32 checksum = new CRC32();
  private int at;

  GzipDecoder(Inflater inflater, BoundedBytes packed, boolean isCut) {
    this.inflater = inflater;
    this.in = packed.array();
    this.end = packed.length();
    this.isCut = isCut;
  }

  /// The size that the last member declares; 0 when there is none.
  static long declaredSize(BoundedBytes packed) {
    return packed.length() < HEADER + TRAILER ? 0 : number(packed.array(), packed.length() - 4);
  }

  static boolean hasZlibHeader(BoundedBytes packed) {
    if (packed.length() < 2) return false;
    var first = packed.array()[0] & 0xff;
    var both = (first << 8) | (packed.array()[1] & 0xff);
    return (first & 0x0f) == DEFLATE && both % 31 == 0;
  }

  void unpack(BoundedBytes out) throws DataFormatException, FetchException {
    do {
      if (!member(out)) return;
    } while (isMember()); // what follows the last member is padding: browsers skip it as well
  }

  private boolean isMember() {
    return end - at >= 2 && (in[at] & 0xff) == 0x1f && (in[at + 1] & 0xff) == 0x8b;
  }

  /// Unpacks one member; false when the end was reached before its end, or there is too much.
  private boolean member(BoundedBytes out) throws DataFormatException, FetchException {
    if (!skipHeader()) return cutOff();
    inflater.reset();
    inflater.setInput(in, at, end - at);
    var start = out.length();
    if (!inflate(inflater, out, isCut)) return false;
    at = end - inflater.getRemaining();
    if (end - at < TRAILER) return cutOff();
    checksum.reset();
    checksum.update(out.array(), start, out.length() - start);
    var isWhole =
        number(in, at) == checksum.getValue()
            && number(in, at + 4) == (inflater.getBytesWritten() & 0xffffffffL);
    if (!isWhole) throw new DataFormatException("checksum");
    at += TRAILER;
    return true;
  }

  private boolean skipHeader() throws DataFormatException {
    if (end - at < HEADER) return false;
    if (!isMember() || in[at + 2] != DEFLATE) throw new DataFormatException("not gzip");
    var flags = in[at + 3] & 0xff;
    if ((flags & RESERVED) != 0) throw new DataFormatException("not gzip");
    at += HEADER;
    if ((flags & HAS_EXTRA) != 0) {
      if (end - at < 2) return false;
      at += 2 + ((in[at] & 0xff) | ((in[at + 1] & 0xff) << 8));
    }
    if ((flags & HAS_NAME) != 0) skipText();
    if ((flags & HAS_COMMENT) != 0) skipText();
    if ((flags & HAS_CHECKSUM) != 0) at += 2;
    return at < end;
  }

  private void skipText() {
    while (at < end && in[at] != 0) at++;
    at++;
  }

  private boolean cutOff() throws DataFormatException {
    if (!isCut) throw new DataFormatException("too short");
    return false;
  }

  /// Inflates to the end; false when the output is over its limit, or the input was cut by us.
  static boolean inflate(Inflater inflater, BoundedBytes out, boolean isCut)
      throws DataFormatException, FetchException {
    var probe = new byte[1];
    while (!inflater.finished()) {
      // The output often has exactly the right size: look for the end before making it larger.
      var isFull = out.free() == 0;
      var count =
          isFull
              ? inflater.inflate(probe, 0, 1)
              : inflater.inflate(out.array(), out.length(), out.free());
      if (count > 0 && isFull) out.write(probe[0]);
      else out.wrote(count);
      if (out.isOver()) return false;
      if (count == 0 && !inflater.finished()) {
        if (isCut && inflater.needsInput()) return false;
        throw new DataFormatException("too short");
      }
    }
    return true;
  }

  private static long number(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | ((bytes[at + 1] & 0xff) << 8)
        | ((bytes[at + 2] & 0xff) << 16)
        | ((bytes[at + 3] & 0xffL) << 24);
  }
}
