package io.tidemill.store.search;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.FlagsAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/// Ends a chain that [Repeat] began: a word becomes its stem, and at the same place the word itself
/// with a mark in front, if the stem is another one.
///
/// So one field serves stemmed and exact search, its text is split into words only once, and a stem
/// has the same statistics as in a field of its own.
final class ExactWords extends TokenFilter {
  /// In front of a word that differs from its stem; no tokenizer lets it through.
  static final char MARK = '=';

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final FlagsAttribute flags = addAttribute(FlagsAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private char[] word = new char[32];
  private int length;
  private boolean wordWaits;

  ExactWords(TokenStream input) {
    super(input);
    word[0] = MARK;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (wordWaits) return exact();
    if (!input.incrementToken()) return false;
    if (flags.getFlags() != Repeat.PAIR) return true;
    keep();
    var place = increment.getPositionIncrement();
    if (!input.incrementToken()) return false;
    increment.setPositionIncrement(place);
    flags.setFlags(0);
    wordWaits = !sameAsStem();
    return true;
  }

  private boolean exact() {
    wordWaits = false;
    term.copyBuffer(word, 0, length + 1);
    increment.setPositionIncrement(0);
    return true;
  }

  private void keep() {
    length = term.length();
    if (word.length < length + 1) {
      word = new char[length * 2 + 1];
      word[0] = MARK;
    }
    System.arraycopy(term.buffer(), 0, word, 1, length);
  }

  private boolean sameAsStem() {
    return Arrays.equals(term.buffer(), 0, term.length(), word, 1, length + 1);
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    wordWaits = false;
  }
}
