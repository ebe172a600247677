package io.tidemill.embedding;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// The WordPiece tokenizer of BERT: words without case and accents, rare words in pieces.
final class WordPieceTokenizer {
  /// The tokens before and after every text, and of unknown words.
  static final String BEGIN = "[CLS]";

  static final String END = "[SEP]";
  private static final String UNKNOWN = "[UNK]";
  private static final String CONTINUES = "##";
  private static final int MAX_WORD = 100;

  private final Map<String, Integer> whole = new HashMap<>();
  private final Map<String, Integer> continued = new HashMap<>();
  private final int unknown;

  WordPieceTokenizer(Map<String, Integer> vocabulary) {
    vocabulary.forEach((piece, id) -> {
      if (piece.startsWith(CONTINUES)) continued.put(piece.substring(2), id);
      whole.put(piece, id);
    });
    unknown = id(UNKNOWN);
  }

  /// The id of a special token.
  int id(String piece) {
    var id = whole.get(piece);
    if (id == null) throw new IllegalArgumentException("the vocabulary has no " + piece);
    return id;
  }

  /// Whether a text is one word of the vocabulary.
  boolean knows(String word) {
    var ids = of(word).ids();
    return ids.length == 1 && ids[0] != unknown;
  }

  TokenizedText of(String text) {
    var reading = new Reading(text);
    reading.read();
    return reading.result();
  }

  /// The state of one text: a word is collected, then cut.
  private final class Reading {
    private final String text;
    private int[] ids;
    private int[] starts;
    private int[] ends;
    private int count;

    private final StringBuilder word = new StringBuilder();
    private int[] from = new int[MAX_WORD];
    private int wordEnd;

    Reading(String text) {
      this.text = text;
      var guess = Math.max(16, text.length() / 4);
      ids = new int[guess];
      starts = new int[guess];
      ends = new int[guess];
    }

    void read() {
      for (int at = 0; at < text.length(); ) {
        var point = text.codePointAt(at);
        var next = at + Character.charCount(point);
        if (point < 0x80) ascii((char) point, at);
        else other(point, at, next);
        at = next;
      }
      endWord();
    }

    private void ascii(char c, int at) {
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
        add(c, at, at + 1);
      } else if (c >= 'A' && c <= 'Z') {
        add((char) (c + 32), at, at + 1);
      } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
        // Vertical tab and form feed are ignored, the others are space.
        if (c != 0x0B && c != '\f') endWord();
      } else if (c > ' ' && c < 0x7F) {
        alone(String.valueOf(c), at, at + 1);
      }
    }

    private void other(int point, int at, int next) {
      if (isIgnored(point)) return;
      if (Character.isWhitespace(point) || Character.isSpaceChar(point)) {
        endWord();
        return;
      }
      if (isIdeograph(point)) {
        alone(Character.toString(point), at, next);
        return;
      }
      var plain = Normalizer.normalize(Character.toString(point), Normalizer.Form.NFD);
      plain
          .codePoints()
          .filter(part -> Character.getType(part) != Character.NON_SPACING_MARK)
          .forEach(part -> normalised(part, at, next));
    }

    private void normalised(int point, int at, int next) {
      if (isPunctuation(point)) {
        alone(Character.toString(point), at, next);
        return;
      }
      var lower = Character.toString(point).toLowerCase(Locale.ROOT);
      for (int i = 0; i < lower.length(); i++) add(lower.charAt(i), at, next);
    }

    private void add(char c, int at, int next) {
      if (word.length() == from.length) from = Arrays.copyOf(from, from.length * 2);
      from[word.length()] = at;
      word.append(c);
      wordEnd = next;
    }

    private void alone(String mark, int at, int next) {
      endWord();
      add(whole.getOrDefault(mark, unknown), at, next);
    }

    private void endWord() {
      if (word.isEmpty()) return;
      var first = count;
      if (word.codePointCount(0, word.length()) > MAX_WORD || !cut()) {
        count = first;
        add(unknown, from[0], wordEnd);
      }
      word.setLength(0);
    }

    /// Takes the longest piece that fits; false when none does.
    private boolean cut() {
      var known = whole;
      for (int at = 0; at < word.length(); known = continued) {
        var end = word.length();
        Integer id = null;
        for (; end > at; end--) {
          id = known.get(word.substring(at, end));
          if (id != null) break;
        }
        if (id == null) return false;
        add(id, from[at], end < word.length() ? from[end] : wordEnd);
        at = end;
      }
      return true;
    }

    private void add(int id, int start, int end) {
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, count * 2);
        starts = Arrays.copyOf(starts, count * 2);
        ends = Arrays.copyOf(ends, count * 2);
      }
      ids[count] = id;
      starts[count] = start;
      ends[count++] = end;
    }

    TokenizedText result() {
      return new TokenizedText(text, ids, starts, ends).part(0, count);
    }
  }

  private static boolean isIgnored(int point) {
    return point == 0xFFFD
        || switch (Character.getType(point)) {
          case Character.CONTROL, Character.FORMAT, Character.PRIVATE_USE, Character.SURROGATE ->
              true;
          default -> false;
        };
  }

  private static boolean isPunctuation(int point) {
    return switch (Character.getType(point)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
          true;
      default -> false;
    };
  }

  private static boolean isIdeograph(int point) {
    return in(point, 0x4E00, 0x9FFF)
        || in(point, 0x3400, 0x4DBF)
        || in(point, 0x20000, 0x2A6DF)
        || in(point, 0x2A700, 0x2B81F)
        || in(point, 0x2B920, 0x2CEAF)
        || in(point, 0xF900, 0xFAFF)
        || in(point, 0x2F800, 0x2FA1F);
  }

  private static boolean in(int point, int first, int last) {
    return point >= first && point <= last;
  }
}
