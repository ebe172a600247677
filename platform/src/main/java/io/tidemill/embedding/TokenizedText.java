package io.tidemill.embedding;

import java.util.Arrays;

/// A text as the model reads it: the numbers of its pieces, and where each stands in the text.
@SuppressWarnings("ArrayRecordComponent") // never compared
record TokenizedText(String text, int[] ids, int[] starts, int[] ends) {
  int size() {
    return ids.length;
  }

  /// The pieces from one to before another; the text stays whole.
  TokenizedText part(int from, int to) {
    return new TokenizedText(
        text,
        Arrays.copyOfRange(ids, from, to),
        Arrays.copyOfRange(starts, from, to),
        Arrays.copyOfRange(ends, from, to));
  }

  /// Whether a new word begins with that piece.
  boolean beginsWord(int piece) {
    return piece == 0 || starts[piece] > ends[piece - 1];
  }

  /// Whether a new sentence, or a new line, begins with that piece.
  boolean beginsSentence(int piece) {
    if (piece == 0) return true;
    var end = ends[piece - 1];
    var gap = text.substring(end, starts[piece]);
    if (gap.indexOf('\n') >= 0) return true;
    var last = text.charAt(end - 1);
    return isWideStop(last) || (endsSentence(last) && !gap.isEmpty());
  }

  private static boolean endsSentence(char c) {
    return c == '.' || c == '!' || c == '?';
  }

  /// The full stops of scripts that put no space behind them.
  private static boolean isWideStop(char c) {
    return c == '。' || c == '！' || c == '？';
  }
}
