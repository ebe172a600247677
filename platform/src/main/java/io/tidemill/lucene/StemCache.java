package io.tidemill.lucene;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// A cache of the stems of one language: stemming is most of the work of analysing a text.
///
/// Thread-safe without locks: a form never changes, and one that a thread does not see yet is
/// computed again.
final class StemCache {
  /// A power of two; about 4 MB for a language in use.
  private static final int SLOTS = 1 << 14;

  private static final int LONGEST_KEPT = 32;

  private final UnaryOperator<TokenStream> normalise;
  private final UnaryOperator<TokenStream> stem;
  private final Supplier<CharArraySet> common;
  private volatile @Nullable Form @Nullable [] seen;

  /// @param normalise filters that unify the spellings of a word
  /// @param stem filters that unify the forms of a word
  /// @param common words that are not stemmed
  StemCache(
      UnaryOperator<TokenStream> normalise,
      UnaryOperator<TokenStream> stem,
      Supplier<CharArraySet> common) {
    this.normalise = normalise;
    this.stem = stem;
    this.common = common;
  }

  /// A term as text and as encoded bytes.
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody, changed by nobody.
  record Term(char[] chars, BytesRef bytes) {
    Term(char[] chars) {
      this(chars, new BytesRef(new String(chars)));
    }
  }

  /// @param word as written
  /// @param exact the normalised word after a mark; null when it is its own stem
  @SuppressWarnings("ArrayRecordComponent")
  record Form(char[] word, Term stem, @Nullable Term exact) {
    boolean isOf(char[] buffer, int length) {
      return Arrays.equals(word, 0, word.length, buffer, 0, length);
    }
  }

  /// The filters of one thread.
  Reading reading() {
    return new Reading();
  }

  Form of(char[] buffer, int length, Reading reading) throws IOException {
    if (length > LONGEST_KEPT) return reading.form(buffer, length);
    var slots = slots();
    var slot = slot(buffer, length);
    var known = slots[slot];
    if (known != null && known.isOf(buffer, length)) return known;
    // A second slot: a rare word does not evict a frequent one at once.
    var other = slots[slot ^ 1];
    if (other != null && other.isOf(buffer, length)) return other;
    var form = reading.form(buffer, length);
    slots[slot ^ 1] = known;
    slots[slot] = form;
    return form;
  }

  private @Nullable Form[] slots() {
    var slots = seen;
    if (slots == null) seen = slots = new @Nullable Form[SLOTS];
    return slots;
  }

  private static int slot(char[] buffer, int length) {
    var hash = length;
    for (var i = 0; i < length; i++) hash = hash * 31 + buffer[i];
    hash *= 0x9e3779b9;
    return hash >>> 18;
  }

  /// Stems word by word; for one thread.
  final class Reading {
    private final Single written = new Single();
    private final Single normal = new Single();
    private final TokenStream toNormal = normalise.apply(written);
    private final TokenStream toStem = stem.apply(normal);
    private final CharArraySet unstemmed = common.get();

    private Form form(char[] buffer, int length) throws IOException {
      var plain = through(written, toNormal, buffer, length);
      var exact = fold(plain);
      var word = Arrays.copyOf(buffer, length);
      if (unstemmed.contains(plain, 0, plain.length)) {
        return new Form(word, new Term(exact), null);
      }
      var stemmed = fold(through(normal, toStem, plain, plain.length));
      var same = Arrays.equals(stemmed, exact);
      return new Form(word, new Term(stemmed), same ? null : new Term(marked(exact)));
    }

    private static char[] through(Single in, TokenStream filters, char[] buffer, int length)
        throws IOException {
      in.next(buffer, length);
      filters.reset();
      return filters.incrementToken() ? in.word() : Arrays.copyOf(buffer, length);
    }

    private static char[] fold(char[] word) {
      if (isAscii(word)) return word;
      var folded = new char[word.length * 4];
      var length = ASCIIFoldingFilter.foldToASCII(word, 0, folded, 0, word.length);
      return Arrays.copyOf(folded, length);
    }

    private static boolean isAscii(char[] word) {
      for (var c : word) {
        if (c >= 0x80) return false;
      }
      return true;
    }

    private static char[] marked(char[] exact) {
      var marked = new char[exact.length + 1];
      marked[0] = ExactWordFilter.MARK;
      System.arraycopy(exact, 0, marked, 1, exact.length);
      return marked;
    }
  }

  /// A token stream of one word, which shares its attributes with the filters behind it.
  private static final class Single extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private boolean waits;

    void next(char[] buffer, int length) {
      clearAttributes();
      term.copyBuffer(buffer, 0, length);
      waits = true;
    }

    char[] word() {
      return Arrays.copyOf(term.buffer(), term.length());
    }

    @Override
    public boolean incrementToken() {
      var first = waits;
      waits = false;
      return first;
    }
  }
}
