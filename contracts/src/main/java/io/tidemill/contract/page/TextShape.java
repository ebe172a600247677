package io.tidemill.contract.page;

import io.tidemill.contract.page.PageText.Span;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Which characters of a lower-cased text were upper case, which spaces were line breaks, and which
/// parts are the main ones.
///
/// Positions are distances from the one before, as varints behind a count; the whole is deflated
/// when that makes it smaller. The first byte says which.
final class TextShape {
  /// A header travels in one frame, and some brokers take no larger ones than 64 KB.
  static final int MAX = 48 * 1024;

  // Below it, making it smaller takes more time than it saves.
  private static final int SMALL = 512;

  private static final byte PLAIN = 1;
  private static final byte DEFLATED = 2;
  private static final byte[] NONE = {};

  // The only character whose lower case is longer than itself.
  private static final int DOTTED_I = 0x130;

  private TextShape() {}

  static String lower(String collapsed) {
    return collapsed.replace('\n', ' ').toLowerCase(Locale.ROOT);
  }

  static byte[] encode(PageText collapsed, String lower) {
    var uppers = new Distances();
    var breaks = new Distances();
    var ends = new Distances();
    var boundaries = boundaries(collapsed.main());
    var boundary = 0;
    var at = 0;
    var text = collapsed.readable();
    for (int i = 0; i < text.length(); ) {
      for (; boundary < boundaries.length && boundaries[boundary] <= i; boundary++) ends.add(at);
      var next = boundary < boundaries.length ? boundaries[boundary] : text.length();
      var plain = plainEnd(text, i, Math.min(next, text.length()));
      if (plain > i) {
        at += plain - i;
        i = plain;
        continue;
      }
      var was = text.codePointAt(i);
      i += Character.charCount(was);
      if (at >= lower.length()) return NONE;
      var is = lower.codePointAt(at);
      if (was == '\n') breaks.add(at);
      else if (was != is && Character.toUpperCase(is) == was) uppers.add(at);
      at += was == DOTTED_I ? 2 : Character.charCount(is);
    }
    for (; boundary < boundaries.length; boundary++) ends.add(at);
    if (at != lower.length()) return NONE;
    return packed(lower.length(), List.of(uppers, breaks, ends));
  }

  // Most characters are ASCII and lower already.
  private static int plainEnd(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      var c = text.charAt(i);
      if (c >= 0x80 || c == '\n' || (c >= 'A' && c <= 'Z')) return i;
    }
    return to;
  }

  private static int[] boundaries(List<Span> spans) {
    return spans.stream()
        .flatMapToInt(span -> java.util.stream.IntStream.of(span.start(), span.end()))
        .toArray();
  }

  private static byte[] packed(int length, List<Distances> lists) {
    var plain = new ByteArrayOutputStream();
    plain.write(PLAIN);
    write(plain, length);
    for (var list : lists) {
      write(plain, list.count);
      plain.writeBytes(list.bytes.toByteArray());
    }
    var bytes = plain.toByteArray();
    if (bytes.length <= SMALL) return bytes;
    var smaller = deflated(bytes);
    var best = smaller.length < bytes.length ? smaller : bytes;
    return best.length > MAX ? NONE : best;
  }

  private static byte[] deflated(byte[] plain) {
    try (var deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
      deflater.setInput(plain, 1, plain.length - 1);
      deflater.finish();
      var out = new byte[plain.length + 16];
      out[0] = DEFLATED;
      var length = deflater.deflate(out, 1, out.length - 1);
      return deflater.finished() ? Arrays.copyOf(out, length + 1) : plain;
    }
  }

  private static void write(ByteArrayOutputStream out, int number) {
    for (; number > 0x7F; number >>>= 7) out.write(number | 0x80);
    out.write(number);
  }

  /// Nothing when the bytes are not the shape of this text: they come from outside.
  static @Nullable PageText decode(String lower, byte[] shape) {
    try {
      return shaped(lower, unpacked(lower.length(), shape));
    } catch (BufferUnderflowException | DataFormatException | IllegalArgumentException notAShape) {
      return null;
    }
  }

  private static ByteBuffer unpacked(int length, byte[] shape) throws DataFormatException {
    var kind = shape.length == 0 ? 0 : shape[0];
    return switch (kind) {
      case PLAIN -> ByteBuffer.wrap(shape, 1, shape.length - 1);
      case DEFLATED -> inflated(length, shape);
      default -> throw new IllegalArgumentException("no shape");
    };
  }

  // No list can have more bytes than the text has characters: a bomb stops there.
  private static ByteBuffer inflated(int length, byte[] shape) throws DataFormatException {
    try (var inflater = new Inflater(true)) {
      inflater.setInput(shape, 1, shape.length - 1);
      var most = 5L * length + 64;
      var out = new byte[(int) Math.min(most, 1024 + 8L * shape.length)];
      var filled = 0;
      while (!inflater.finished()) {
        if (filled == out.length) {
          if (filled >= most) throw new DataFormatException("too long");
          out = Arrays.copyOf(out, (int) Math.min(most, 2L * filled));
        }
        var more = inflater.inflate(out, filled, out.length - filled);
        if (more == 0 && !inflater.finished()) throw new DataFormatException("cut off");
        filled += more;
      }
      return ByteBuffer.wrap(out, 0, filled);
    }
  }

  private static PageText shaped(String lower, ByteBuffer shape) {
    if (read(shape) != lower.length()) throw new IllegalArgumentException("another text's");
    var text = new StringBuilder(lower);
    for (int at : positions(shape, lower.length())) raise(text, at);
    for (int at : positions(shape, lower.length())) breakLine(text, at);
    return new PageText(text.toString(), spans(positions(shape, lower.length() + 1)));
  }

  private static int[] positions(ByteBuffer shape, int limit) {
    var count = read(shape);
    if (count > shape.remaining()) throw new IllegalArgumentException("count");
    var positions = new int[count];
    var at = 0L;
    for (int i = 0; i < count; i++) {
      at += read(shape);
      if (at >= limit) throw new IllegalArgumentException("position");
      positions[i] = (int) at;
    }
    return positions;
  }

  private static int read(ByteBuffer in) {
    var number = 0L;
    for (int shift = 0; shift < 35; shift += 7) {
      var next = in.get();
      number |= (next & 0x7FL) << shift;
      if (next >= 0) break;
    }
    if (number > Integer.MAX_VALUE) throw new IllegalArgumentException("number");
    return (int) number;
  }

  private static void raise(StringBuilder text, int at) {
    var lower = text.codePointAt(at);
    var upper = Character.toUpperCase(lower);
    var length = Character.charCount(lower);
    if (upper == lower || Character.charCount(upper) != length) {
      throw new IllegalArgumentException("no upper case");
    }
    if (length == 1) text.setCharAt(at, (char) upper);
    else text.replace(at, at + 2, Character.toString(upper));
  }

  private static void breakLine(StringBuilder text, int at) {
    if (text.charAt(at) != ' ') throw new IllegalArgumentException("no space");
    text.setCharAt(at, '\n');
  }

  private static List<Span> spans(int[] boundaries) {
    if (boundaries.length % 2 != 0) throw new IllegalArgumentException("half a part");
    var spans = new ArrayList<Span>();
    for (int i = 0; i < boundaries.length; i += 2) {
      spans.add(new Span(boundaries[i], boundaries[i + 1]));
    }
    return spans;
  }

  /// Growing numbers, written as the distance from the one before.
  private static final class Distances {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int count;
    int last;

    void add(int position) {
      write(bytes, position - last);
      last = position;
      count++;
    }
  }
}
