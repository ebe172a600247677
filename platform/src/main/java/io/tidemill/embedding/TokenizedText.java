package io.tidemill.embedding;

import java.util.Arrays;

/// A text as the model reads it: the ids of its tokens and their places in the text.
@SuppressWarnings("ArrayRecordComponent") // never compared
record TokenizedText(String text, int[] ids, int[] starts, int[] ends) {
  int size() {
    return ids.length;
  }

  /// A range of tokens; the text stays whole.
  TokenizedText part(int from, int to) {
    return new TokenizedText(
        text,
        Arrays.copyOfRange(ids, from, to),
        Arrays.copyOfRange(starts, from, to),
        Arrays.copyOfRange(ends, from, to));
  }

  /// Whether a word begins with this token.
  boolean beginsWord(int token) {
    return token == 0 || starts[token] > ends[token - 1];
  }

  /// Whether a sentence or a line begins with this token.
  boolean beginsSentence(int token) {
    if (token == 0) return true;
    var end = ends[token - 1];
    var gap = text.substring(end, starts[token]);
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
