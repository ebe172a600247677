package io.tidemill.lucene;

import java.io.IOException;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.jspecify.annotations.Nullable;

/// Replaces a word by its stem and, if they differ, adds the marked word at the same position.
///
/// So one field serves stemmed and exact search: the text is tokenized once, and stems have the
/// same statistics as in a field of their own. The tokenizer's attributes come from
/// [CachedTerm#FACTORY].
public final class ExactWordFilter extends TokenFilter {
  /// Marks a word that differs from its stem; no tokenizer emits it.
  public static final char MARK = '=';

  private final CachedTerm term = (CachedTerm) addAttribute(CharTermAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final StemCache forms;
  private final StemCache.Reading reading;
  private StemCache.@Nullable Term waiting;

  ExactWordFilter(TokenStream input, StemCache forms) {
    super(input);
    this.forms = forms;
    this.reading = forms.reading();
  }

  @Override
  public boolean incrementToken() throws IOException {
    var exact = waiting;
    if (exact != null) {
      term.show(exact);
      increment.setPositionIncrement(0);
      waiting = null;
      return true;
    }
    if (!input.incrementToken()) return false;
    var form = forms.of(term.buffer(), term.length(), reading);
    term.show(form.stem());
    waiting = form.exact();
    return true;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    waiting = null;
  }
}
