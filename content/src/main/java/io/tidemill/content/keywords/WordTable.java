package io.tidemill.content.keywords;

import java.util.Arrays;

/// The distinct words of a text, each known by a number above 0; singular and plural count
/// together.
final class WordTable {
  /// What [#add] answers for a word at which a phrase ends.
  static final int BREAK = 0;

  private final PhraseBreaks breaks;
  private final char[] chars;
  private final int[] slots;
  private String[] words = new String[64];
  private int[] groups = new int[64];
  private int[] counts = new int[64];
  private int[] capitals = new int[64];
  private boolean[] weak = new boolean[64];
  private int size = 1;

  /// @param chars the text in lower case
  WordTable(PhraseBreaks breaks, char[] chars, int length) {
    this.breaks = breaks;
    this.chars = chars;
    this.slots = new int[Math.max(64, Integer.highestOneBit(length) * 2)];
  }

  /// Counts a word.
  ///
  /// @return the number of its singular or plural, whichever came first
  int add(int from, int to, boolean isCapital) {
    var word = find(from, to);
    var group = groups[word];
    counts[group]++;
    if (isCapital) capitals[group]++;
    return group;
  }

  private int find(int from, int to) {
    var slot = slot(from, to);
    while (slots[slot] != 0) {
      if (isWord(words[slots[slot]], from, to)) return slots[slot];
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = size;
    return create(new String(chars, from, to - from));
  }

  private int slot(int from, int to) {
    var hash = 0;
    for (var i = from; i < to; i++) hash = hash * 31 + chars[i];
    return ((hash * 0x9E3779B9) >>> 8) & (slots.length - 1);
  }

  private boolean isWord(String word, int from, int to) {
    if (word.length() != to - from) return false;
    for (var i = from; i < to; i++) if (word.charAt(i - from) != chars[i]) return false;
    return true;
  }

  private int create(String word) {
    if (size == words.length) grow();
    words[size] = word;
    weak[size] = breaks.isWeak(word);
    groups[size] = breaks.contains(word) ? BREAK : group(word);
    return size++;
  }

  private int group(String word) {
    if (!breaks.hasPluralS() || word.length() < 3) return size;
    var other = word.endsWith("s") ? word.substring(0, word.length() - 1) : word + "s";
    var known = lookUp(other);
    return known == BREAK ? size : known;
  }

  private int lookUp(String word) {
    var slot = ((word.hashCode() * 0x9E3779B9) >>> 8) & (slots.length - 1);
    while (slots[slot] != 0) {
      if (slots[slot] < size && words[slots[slot]].equals(word)) return groups[slots[slot]];
      slot = (slot + 1) & (slots.length - 1);
    }
    return BREAK;
  }

  private void grow() {
    words = Arrays.copyOf(words, size * 2);
    groups = Arrays.copyOf(groups, size * 2);
    counts = Arrays.copyOf(counts, size * 2);
    capitals = Arrays.copyOf(capitals, size * 2);
    weak = Arrays.copyOf(weak, size * 2);
  }

  /// The share of names among the words, those at which phrases end aside.
  double nameShare() {
    var all = 1;
    var names = 0;
    for (var word = 1; word < size; word++) {
      all += counts[word];
      names += capitals[word];
    }
    return (double) names / all;
  }

  int count(int word) {
    return counts[word];
  }

  /// Whether it is mostly written with a capital, the beginnings of sentences aside.
  boolean isName(int word) {
    return capitals[word] * 2 > counts[word];
  }

  /// Whether a phrase is none when its last word is weak.
  boolean mustEndInNoun() {
    return breaks.hasCapitalNouns();
  }

  boolean isWeak(int word) {
    return weak[word] || (breaks.hasCapitalNouns() && capitals[word] == 0);
  }

  /// Whether it is one letter, or one Chinese character, which is not yet a word.
  boolean isSingle(int word) {
    return words[word].length() == 1;
  }
}
