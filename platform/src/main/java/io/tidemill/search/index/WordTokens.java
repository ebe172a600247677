package io.tidemill.search.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/// Words as people write them: lower-cased, without accents, not stemmed.
public final class WordTokens {
  public static final Analyzer ANALYZER = new Plain();

  private WordTokens() {}

  /// One position of a text: the stem, and the exact word where it differs.
  public record Position(String stem, String exact) {}

  /// The positions of a short text, as an analyzer finds them.
  public static List<Position> positions(Analyzer analyzer, String text) {
    var positions = new ArrayList<Position>();
    try (var stream = analyzer.tokenStream(PageFields.TEXT, text)) {
      var term = stream.addAttribute(CharTermAttribute.class);
      var increment = stream.addAttribute(PositionIncrementAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        var token = term.toString();
        if (increment.getPositionIncrement() > 0 || positions.isEmpty()) {
          positions.add(new Position(token, token));
        } else {
          positions.add(new Position(positions.removeLast().stem(), token));
        }
      }
      stream.end();
    } catch (IOException unexpected) {
      throw new UncheckedIOException(unexpected);
    }
    return positions;
  }

  /// Lower-cased and without accents.
  public static String fold(String text) {
    var lower = text.toLowerCase(Locale.ROOT).toCharArray();
    var folded = new char[lower.length * 4];
    var length = ASCIIFoldingFilter.foldToASCII(lower, 0, folded, 0, lower.length);
    return new String(folded, 0, length);
  }

  private static final class Plain extends Analyzer {
    @Override
    protected TokenStreamComponents createComponents(String field) {
      var words = new StandardTokenizer();
      return new TokenStreamComponents(words, new ASCIIFoldingFilter(new LowerCaseFilter(words)));
    }
  }
}
