package io.tidemill.content.keywords;

import java.util.Arrays;

/// The words of a text in their order, and breaks where a phrase ends.
final class WordList {
  private final char[] chars;
  private int[] words = new int[64];
  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private int size;

  /// @param chars the text in lower case
  WordList(char[] chars) {
    this.chars = chars;
  }

  void add(int word, int from, int to) {
    if (size == words.length) {
      words = Arrays.copyOf(words, size * 2);
      starts = Arrays.copyOf(starts, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
    }
    words[size] = word;
    starts[size] = from;
    ends[size++] = to;
  }

  void end() {
    if (isInPhrase()) add(WordTable.BREAK, 0, 0);
  }

  boolean isInPhrase() {
    return size > 0 && words[size - 1] != WordTable.BREAK;
  }

  /// Where the last word begins.
  int lastStart() {
    return starts[size - 1];
  }

  int[] toArray() {
    return Arrays.copyOf(words, size);
  }

  /// Words as they were written, in lower case, with one space wherever they are apart.
  String phrase(int at, int count) {
    var phrase = new StringBuilder();
    for (var i = at; i < at + count; i++) {
      if (i > at && starts[i] > ends[i - 1]) phrase.append(' ');
      phrase.append(chars, starts[i], ends[i] - starts[i]);
    }
    return phrase.toString();
  }
}
