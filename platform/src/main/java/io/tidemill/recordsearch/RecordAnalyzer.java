package io.tidemill.recordsearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/// Splits texts into words at everything that is neither letter nor digit: the parts of addresses,
/// URLs and ids are words, too.
final class RecordAnalyzer extends Analyzer {
  static final RecordAnalyzer ANALYZER = new RecordAnalyzer();

  private RecordAnalyzer() {}

  @Override
  protected TokenStreamComponents createComponents(String field) {
    var words = new StandardTokenizer();
    return new TokenStreamComponents(words, new ASCIIFoldingFilter(new LowerCaseFilter(words)));
  }

  /// The text with spaces for all separators, else `example.org` would be one word.
  static String plain(String text) {
    var plain = new StringBuilder(text.length());
    text.codePoints()
        .forEach(point -> {
          if (Character.isLetterOrDigit(point) || isMark(point)) plain.appendCodePoint(point);
          else plain.append(' ');
        });
    return plain.toString();
  }

  private static boolean isMark(int point) {
    var type = Character.getType(point);
    return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
  }

  /// The first words of a text.
  static List<String> of(String text, int most) {
    var words = new ArrayList<String>();
    try (var stream = ANALYZER.tokenStream("words", plain(text))) {
      var word = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (words.size() < most && stream.incrementToken()) words.add(word.toString());
      return words;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // it reads from memory
    }
  }
}
