package io.tidemill.kafka.consumer;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The offsets that were finished beyond a committed offset, stored in the metadata of the commit.
///
/// A slow record holds the commit back; without this, all records that were finished after it would
/// run again at the next change of owner. When the metadata is missing or was written by another
/// program, they do run again.
///
/// @param from the committed offset, -1 = none
/// @param to every offset from `from` to here is finished, except `open`
/// @param open ascending
record CommitMetadata(long from, long to, List<Long> open) {
  private static final String PREFIX = "tidemill1:";

  // The broker accepts 4,096 bytes by default.
  private static final int MAX_BYTES = 3_000;

  /// Nothing is known beyond the commit.
  static CommitMetadata from(long committed) {
    return new CommitMetadata(committed, committed, List.of());
  }

  CommitMetadata {
    open = List.copyOf(open);
  }

  boolean isFinished(long offset) {
    return offset >= from && offset < to && Collections.binarySearch(open, offset) < 0;
  }

  /// The encoded text; offsets beyond its size limit count as unfinished.
  String text() {
    if (open.isEmpty() || to <= from) return "";
    var bytes = ByteBuffer.allocate(MAX_BYTES + 20);
    var last = from;
    for (var offset : open) {
      if (bytes.position() > MAX_BYTES - 10) return text(offset, bytes);
      put(bytes, offset - last);
      last = offset;
    }
    return text(to, bytes);
  }

  private String text(long end, ByteBuffer open) {
    var whole = ByteBuffer.allocate(open.position() + 10);
    put(whole, end - from);
    whole.put(open.flip()).flip();
    return PREFIX
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(Arrays.copyOf(whole.array(), whole.limit()));
  }

  /// Decodes [#text]; any other text counts as none.
  static CommitMetadata decode(long committed, @Nullable String text) {
    if (text == null || !text.startsWith(PREFIX)) return from(committed);
    try {
      var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(PREFIX.length())));
      var to = committed + next(bytes);
      var open = new ArrayList<Long>();
      for (var last = committed; bytes.hasRemaining(); ) {
        last += next(bytes);
        open.add(last);
      }
      return isSound(committed, to, open)
          ? new CommitMetadata(committed, to, open)
          : from(committed);
    } catch (IllegalArgumentException | BufferUnderflowException notOurs) {
      return from(committed);
    }
  }

  private static boolean isSound(long from, long to, List<Long> open) {
    var last = from - 1;
    for (var offset : open) {
      if (offset <= last || offset >= to) return false;
      last = offset;
    }
    return to >= from;
  }

  private static void put(ByteBuffer bytes, long number) {
    var rest = number;
    for (; rest > 0x7f; rest >>>= 7) bytes.put((byte) ((rest & 0x7f) | 0x80));
    bytes.put((byte) rest);
  }

  private static long next(ByteBuffer bytes) {
    long number = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      var piece = bytes.get();
      number |= (long) (piece & 0x7f) << shift;
      if (piece >= 0) return number;
    }
    throw new IllegalArgumentException("too long a number");
  }
}
