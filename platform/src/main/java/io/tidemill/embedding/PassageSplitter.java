package io.tidemill.embedding;

import java.util.ArrayList;
import java.util.List;

/// Cuts long texts into overlapping passages.
///
/// A passage ends with a sentence if one ends shortly before the cut.
final class PassageSplitter {
  private final int size;
  private final int overlap;

  /// @param size maximal tokens of a passage
  /// @param overlap approximate tokens that a passage shares with the next
  PassageSplitter(int size, int overlap) {
    if (overlap < 0 || overlap > size / 2) {
      throw new IllegalArgumentException(
          "overlap is " + overlap + ": expected half the size at most");
    }
    this.size = size;
    this.overlap = overlap;
  }

  /// A passage as a range of tokens.
  record Range(int from, int to) {}

  List<Range> of(TokenizedText text) {
    var ranges = new ArrayList<Range>();
    var from = 0;
    while (text.size() - from > size) {
      var to = end(text, from);
      ranges.add(new Range(from, to));
      from = next(text, from, to);
    }
    ranges.add(new Range(from, text.size()));
    return ranges;
  }

  private int end(TokenizedText text, int from) {
    var last = from + size;
    var least = from + size - size / 3;
    for (int at = last; at >= least; at--) if (text.beginsSentence(at)) return at;
    for (int at = last; at >= least; at--) if (text.beginsWord(at)) return at;
    return last;
  }

  /// The start of the next passage: a sentence in the overlap, else a word.
  private int next(TokenizedText text, int from, int to) {
    var first = Math.max(from + 1, to - overlap);
    for (int at = first; at < to; at++) if (text.beginsSentence(at)) return at;
    for (int at = first; at < to; at++) if (text.beginsWord(at)) return at;
    return to;
  }
}
