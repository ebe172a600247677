package io.tidemill.content.language;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// How likely up to four letters in a row are in each language.
///
/// A table in flat arrays: a hundred thousand small objects would cost more than what they hold.
final class NgramModel {
  /// Logarithm of the share below which a letter counts as absent.
  static final double RAREST_LETTER = -16;

  /// The same for a letter behind one to three known ones.
  static final double RAREST = -10;

  /// Steps of one in a logarithm.
  static final int STEPS = 12;

  private final List<String> languages;
  private final long[] keys;
  private final int[] starts;
  private final byte[] counts;
  private final byte[] owners;
  private final byte[] weights;
  private final int mask;
  private final boolean[] pairs;

  private NgramModel(List<String> languages, int grams, int entries) {
    this.languages = languages;
    var size = Integer.highestOneBit(grams * 2) * 2;
    keys = new long[size];
    starts = new int[size];
    counts = new byte[size];
    owners = new byte[entries];
    weights = new byte[entries];
    mask = size - 1;
    pairs = new boolean[languages.size()];
  }

  static NgramModel load(String name) {
    try (var resource = NgramModel.class.getResourceAsStream(name)) {
      if (resource == null) throw new IllegalStateException(name + " is missing");
      return read(
          new DataInputStream(new BufferedInputStream(new GZIPInputStream(resource, 8192), 8192)));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static NgramModel read(DataInputStream in) throws IOException {
    var names = new String[in.readUnsignedByte()];
    for (var i = 0; i < names.length; i++) names[i] = in.readUTF();
    var sorted = new long[in.readInt()];
    var model = new NgramModel(List.of(names), sorted.length, in.readInt());
    var last = 0L;
    for (var i = 0; i < sorted.length; i++) sorted[i] = last += readVarint(in);
    var start = 0;
    for (var key : sorted) {
      var count = in.readUnsignedByte();
      model.put(key, start, count);
      start += count;
    }
    in.readFully(model.owners);
    in.readFully(model.weights);
    model.markPairs();
    return model;
  }

  private void markPairs() {
    for (var slot = 0; slot < keys.length; slot++) {
      if (keys[slot] >>> 16 == 0) continue;
      for (var i = 0; i < (counts[slot] & 0xFF); i++) pairs[owners[starts[slot] + i] & 0xFF] = true;
    }
  }

  /// Whether the language is known by more than single letters.
  boolean hasPairs(int language) {
    return pairs[language];
  }

  private static long readVarint(DataInputStream in) throws IOException {
    var value = 0L;
    for (var shift = 0; ; shift += 7) {
      var b = in.readUnsignedByte();
      value |= (long) (b & 0x7F) << shift;
      if (b < 0x80) return value;
    }
  }

  private void put(long key, int start, int count) {
    var slot = slot(key);
    while (keys[slot] != 0) slot = slot + 1 & mask;
    keys[slot] = key;
    starts[slot] = start;
    counts[slot] = (byte) count;
  }

  /// One to four letters as one number, the first in its highest used bits.
  static long key(CharSequence letters) {
    var key = 0L;
    for (var i = 0; i < letters.length(); i++) key = key << 16 | letters.charAt(i);
    return key;
  }

  List<String> languages() {
    return languages;
  }

  /// Adds to each language's sum how well these letters fit it; false when they fit none.
  boolean add(long key, int[] sums) {
    var slot = slot(key);
    while (keys[slot] != key) {
      if (keys[slot] == 0) return false;
      slot = slot + 1 & mask;
    }
    var end = starts[slot] + (counts[slot] & 0xFF);
    for (var i = starts[slot]; i < end; i++) sums[owners[i] & 0xFF] += weights[i] & 0xFF;
    return true;
  }

  private int slot(long key) {
    var hash = key * 0x9E3779B97F4A7C15L;
    return (int) (hash >>> 40) & mask;
  }
}
