package io.tidemill.content.fingerprint;

import java.util.Arrays;

/// A 64-bit fingerprint of a text: texts that are nearly the same differ in few bits (Charikar).
///
/// Its features are runs of three words, a word being letters and digits, or one character of a
/// script that writes without spaces.
public final class SimHash {
  /// Eight counters in one long, one for each bit of a byte.
  private static final long[] SPREAD = spread();

  /// What an ASCII character adds to a word; 0 when it is not part of one.
  private static final byte[] ASCII = ascii();

  private static final int FULL = 255;
  private static final long SEED = 0x9E3779B97F4A7C15L;

  private final int[] ones = new int[64];
  private final long[] lanes = new long[8];
  private int inLanes;
  private int features;
  private long before;
  private long beforeThat;

  private SimHash() {}

  private static long[] spread() {
    var spread = new long[256];
    for (int value = 0; value < 256; value++) {
      for (int bit = 0; bit < 8; bit++) {
        spread[value] |= (long) (value >> bit & 1) << (8 * bit);
      }
    }
    return spread;
  }

  /// The fingerprint; 0 for a text without words.
  public static long of(String text) {
    var hash = new SimHash();
    hash.read(text);
    return hash.value();
  }

  /// In how many bits two fingerprints differ: up to 3 means nearly the same text.
  public static int distance(long one, long other) {
    return Long.bitCount(one ^ other);
  }

  private void read(String text) {
    long word = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        int part = ASCII[c];
        if (part != 0) {
          word = word * 0x100000001B3L + part;
          continue;
        }
      } else if (Character.isLetterOrDigit(c) || Character.isSurrogate(c)) {
        word = word * 0x100000001B3L + Character.toLowerCase(c) + 1;
        if (c < 0x3040 || !standsAlone(c)) continue;
      }
      if (word != 0) add(word);
      word = 0;
    }
    if (word != 0) add(word);
  }

  private static byte[] ascii() {
    var parts = new byte[0x80];
    for (char c = 0; c < 0x80; c++) {
      if (Character.isLetterOrDigit(c)) parts[c] = (byte) (Character.toLowerCase(c) + 1);
    }
    return parts;
  }

  /// Kana and Chinese characters; Hangul is written with spaces.
  private static boolean standsAlone(char c) {
    return c < 0xAC00 || (c >= 0xF900 && c < 0xFB00);
  }

  private void add(long word) {
    long feature = mix(word + SEED * (before + SEED * beforeThat));
    beforeThat = before;
    before = word;
    for (int lane = 0; lane < 8; lane++) {
      lanes[lane] += SPREAD[(int) (feature >>> (8 * lane)) & 0xFF];
    }
    features++;
    if (++inLanes == FULL) empty();
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  /// Before a counter of eight bits runs over.
  private void empty() {
    for (int bit = 0; bit < 64; bit++) {
      ones[bit] += (int) (lanes[bit >> 3] >>> (8 * (bit & 7))) & 0xFF;
    }
    Arrays.fill(lanes, 0);
    inLanes = 0;
  }

  private long value() {
    empty();
    long value = 0;
    for (int bit = 0; bit < 64; bit++) {
      if (2 * ones[bit] > features) value |= 1L << bit;
    }
    return value;
  }
}
