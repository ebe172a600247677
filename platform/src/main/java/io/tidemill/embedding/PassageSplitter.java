package io.tidemill.embedding;

import java.util.ArrayList;
import java.util.List;

/// Cuts long texts into passages that overlap, so that what stands at a cut is whole in one of
/// them.
///
/// A passage ends where a sentence does if there is an end not far before the cut.
final class PassageSplitter {
  private final int size;
  private final int overlap;

  /// @param size the most pieces of one passage
  /// @param overlap pieces that one passage shares with the next, about
  PassageSplitter(int size, int overlap) {
    if (overlap < 0 || overlap > size / 2) {
      throw new IllegalArgumentException(
          "overlap is " + overlap + ": expected half the size at most");
    }
    this.size = size;
    this.overlap = overlap;
  }

  /// A passage as a range of pieces.
  record Range(int from, int to) {}

  List<Range> of(TokenizedText pieces) {
    var ranges = new ArrayList<Range>();
    var from = 0;
    while (pieces.size() - from > size) {
      var to = end(pieces, from);
      ranges.add(new Range(from, to));
      from = next(pieces, from, to);
    }
    ranges.add(new Range(from, pieces.size()));
    return ranges;
  }

  private int end(TokenizedText pieces, int from) {
    var last = from + size;
    var least = from + size - size / 3;
    for (int at = last; at >= least; at--) if (pieces.beginsSentence(at)) return at;
    for (int at = last; at >= least; at--) if (pieces.beginsWord(at)) return at;
    return last;
  }

  /// Where the next one begins: a sentence of the overlap, else a word of it.
  private int next(TokenizedText pieces, int from, int to) {
    var first = Math.max(from + 1, to - overlap);
    for (int at = first; at < to; at++) if (pieces.beginsSentence(at)) return at;
    for (int at = first; at < to; at++) if (pieces.beginsWord(at)) return at;
    return to;
  }
}
