package io.tidemill.store.search;

import java.io.IOException;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.FlagsAttribute;
import org.apache.lucene.analysis.tokenattributes.KeywordAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/// Sends every word down the chain twice: first as it is, which stemmers leave alone, then to be
/// stemmed. Very common words go once.
///
/// Lucene's own filter for this captures the whole state of every token; copying the characters is
/// a fraction of that.
final class Repeat extends TokenFilter {
  /// The flag of a word whose second copy follows.
  static final int PAIR = 1;

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final KeywordAttribute keyword = addAttribute(KeywordAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final FlagsAttribute flags = addAttribute(FlagsAttribute.class);
  private final CharArraySet common;
  private char[] word = new char[32];
  private int length = -1;

  Repeat(TokenStream input, CharArraySet common) {
    super(input);
    this.common = common;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (length >= 0) {
      term.copyBuffer(word, 0, length);
      keyword.setKeyword(false);
      increment.setPositionIncrement(0);
      length = -1;
      return true;
    }
    if (!input.incrementToken()) return false;
    keyword.setKeyword(true);
    var pair = !common.contains(term.buffer(), 0, term.length());
    flags.setFlags(pair ? PAIR : 0);
    if (pair) keep();
    return true;
  }

  private void keep() {
    length = term.length();
    if (word.length < length) word = new char[length * 2];
    System.arraycopy(term.buffer(), 0, word, 0, length);
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    length = -1;
  }
}
