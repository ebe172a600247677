package io.tidemill.content.keywords;

/// How often which words follow each other within the phrases of a text, up to four in a row.
final class PhraseTable {
  /// Words in the longest phrase.
  static final int LONGEST = 4;

  private static final int BITS = 64 / LONGEST;
  private static final int PIECE = 3;

  private final int[] words;
  private final long[] keys;
  private final int[] slots;
  private final int[] counts;
  private final int[] wholes;
  private final boolean[] pieces;
  private final int[] firsts;
  private final int[] longer;
  private final int[] at;
  private int size;

  /// @param words numbers below 65,536; 0 between phrases and at the end
  PhraseTable(int[] words) {
    this.words = words;
    var most = words.length * LONGEST;
    keys = new long[most];
    counts = new int[most];
    wholes = new int[most];
    pieces = new boolean[most];
    firsts = new int[most];
    longer = new int[most];
    at = new int[most];
    slots = new int[Integer.highestOneBit(Math.max(16, most)) * 4];
    count();
    compare();
    markWholes();
  }

  private void count() {
    for (var i = 0; i < words.length; i++) {
      var key = 0L;
      for (var n = 0; n < LONGEST && i + n < words.length && words[i + n] != 0; n++) {
        key = key << BITS | words[i + n];
        var phrase = find(key, i);
        counts[phrase]++;
        at[i * LONGEST + n] = phrase + 1;
      }
    }
  }

  private int find(long key, int first) {
    var slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 34) & (slots.length - 1);
    while (slots[slot] != 0) {
      if (keys[slots[slot] - 1] == key) return slots[slot] - 1;
      slot = (slot + 1) & (slots.length - 1);
    }
    keys[size] = key;
    firsts[size] = first;
    slots[slot] = ++size;
    return size - 1;
  }

  // What goes on the same way each time is but a part of a phrase.
  private void compare() {
    for (var i = 0; i < words.length; i++) {
      for (var n = 1; n < LONGEST; n++) {
        var phrase = at[i * LONGEST + n] - 1;
        if (phrase < 0) break;
        raise(at[i * LONGEST + n - 1] - 1, counts[phrase]);
        raise(at[(i + 1) * LONGEST + n - 1] - 1, counts[phrase]);
      }
    }
  }

  private void raise(int phrase, int count) {
    longer[phrase] = Math.max(longer[phrase], count);
  }

  private void markWholes() {
    var start = 0;
    for (var i = 0; i < words.length; i++) {
      if (words[i] != 0) continue;
      markWhole(start, i - start);
      start = i + 1;
    }
  }

  // Too long for a phrase: even pieces of it.
  private void markWhole(int start, int length) {
    if (length == 0) return;
    if (length <= LONGEST) {
      wholes[at[start * LONGEST + length - 1] - 1]++;
      return;
    }
    var count = (length + PIECE - 1) / PIECE;
    for (var i = 0; i < count; i++) {
      var from = (int) ((long) length * i / count);
      var to = (int) ((long) length * (i + 1) / count);
      pieces[at[(start + from) * LONGEST + to - from - 1] - 1] = true;
    }
  }

  int size() {
    return size;
  }

  int count(int phrase) {
    return counts[phrase];
  }

  /// Whether it stands by itself, or in more than one surrounding.
  boolean isPhrase(int phrase) {
    if (counts[phrase] == 1) return wholes[phrase] > 0 || pieces[phrase];
    return wholes[phrase] > 0 || counts[phrase] > longer[phrase];
  }

  /// How often it stands by itself, and not in a longer phrase.
  int wholes(int phrase) {
    return wholes[phrase];
  }

  /// Where its first word is among all words.
  int first(int phrase) {
    return firsts[phrase];
  }

  int length(int phrase) {
    return LONGEST - Long.numberOfLeadingZeros(keys[phrase]) / BITS;
  }
}
