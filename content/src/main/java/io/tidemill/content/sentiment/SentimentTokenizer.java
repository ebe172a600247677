package io.tidemill.content.sentiment;

import io.tidemill.content.language.LetterSample;

/// Splits a text into words and emoticons, and passes their ids to a scorer.
final class SentimentTokenizer {
  private static final int LONGEST = 40;
  private static final String JOINERS = "'-&*";

  private final SentimentLexicon known;
  private final SentimentScorer scorer;
  private final char[] word = new char[LONGEST];
  private int length;
  private int hash;
  private boolean hasSmall;
  private boolean hasCapital;
  private boolean isSqueezed;

  SentimentTokenizer(SentimentLexicon known, SentimentScorer scorer) {
    this.known = known;
    this.scorer = scorer;
  }

  void read(String text, int from, int to) {
    var at = from;
    while (at < to) {
      while (at < to && isSpace(text.charAt(at))) at++;
      var start = at;
      var isPlain = true;
      while (at < to) {
        var c = text.charAt(at);
        if (!LetterSample.isAsciiLetter(c)) {
          if (isSpace(c)) break;
          isPlain = false;
        }
        at++;
      }
      if (at == start) continue;
      if (isPlain) {
        addWord(text, start, at);
      } else {
        readChunk(text, start, at);
        if (isEnd(text.charAt(at - 1))) scorer.endSentence();
      }
    }
  }

  private static boolean isEnd(char c) {
    return c == '.' || c == '!' || c == '?' || c == ';' || c == '…';
  }

  private static boolean isSpace(char c) {
    return c <= ' ' || c == '\u00A0' || c == '\u2028' || c == '\u3000';
  }

  // An emoticon is a chunk of its own or the end of a word.
  private void readChunk(String text, int from, int to) {
    countSigns(text, from, to);
    if (addKnown(text, from, to) || isAddress(text, from, to)) return;
    var at = from;
    while (at < to) {
      var c = text.charAt(at);
      if (isWordPart(c)) {
        var end = wordEnd(text, at, to);
        addWord(text, at, end);
        at = end;
      } else if (c >= 0x2000) {
        var end = at + (Character.isHighSurrogate(c) && at + 1 < to ? 2 : 1);
        addKnown(text, at, end);
        at = end;
      } else {
        var end = at + 1;
        while (end < to && text.charAt(end) < 0x2000 && !isWordPart(text.charAt(end))) end++;
        if (end - at > 1) addKnown(text, at, end);
        at = end;
      }
    }
  }

  private void countSigns(String text, int from, int to) {
    for (var i = from; i < to; i++) scorer.add(text.charAt(i));
  }

  private static boolean isAddress(String text, int from, int to) {
    var colon = text.indexOf("://", from, to);
    return colon > 0 || text.charAt(from) == '@' || text.startsWith("www.", from);
  }

  private static int wordEnd(String text, int from, int to) {
    var end = from;
    while (end < to && (isWordPart(text.charAt(end)) || isJoined(text, end, to))) end++;
    return end;
  }

  private static boolean isJoined(String text, int at, int to) {
    var c = text.charAt(at);
    return (JOINERS.indexOf(c) >= 0 || c == '’') && at + 1 < to && isWordPart(text.charAt(at + 1));
  }

  private static boolean isWordPart(char c) {
    if (c < 128) return LetterSample.isAsciiLetter(c) || (c >= '0' && c <= '9');
    return Character.isLetterOrDigit(c);
  }

  private boolean addKnown(String text, int from, int to) {
    if (!take(text, from, to)) return false;
    var id = known.find(word, length, hash);
    if (id == SentimentLexicon.UNKNOWN) return false;
    scorer.add(id, hasCapital && !hasSmall);
    return true;
  }

  private void addWord(String text, int from, int to) {
    var id = SentimentLexicon.UNKNOWN;
    if (take(text, from, to)) {
      id = known.find(word, length, hash);
      if (id == SentimentLexicon.UNKNOWN && endsInNot()) id = known.not();
      for (var most = 2; most > 0 && id == SentimentLexicon.UNKNOWN && squeeze(most); most--) {
        id = known.find(word, length, hash);
      }
    }
    scorer.add(id, hasCapital && !hasSmall);
  }

  private boolean take(String text, int from, int to) {
    hasSmall = false;
    hasCapital = false;
    if (to - from > LONGEST) return false;
    length = 0;
    hash = 0;
    isSqueezed = false;
    for (var i = from; i < to; i++) append(text.charAt(i));
    return true;
  }

  private void append(char c) {
    var lower = c;
    if (c >= 'a' && c <= 'z') {
      hasSmall = true;
    } else if (c >= 'A' && c <= 'Z') {
      hasCapital = true;
      lower = (char) (c | 0x20);
    } else if (c == '’') {
      lower = '\'';
    } else if (c >= 128) {
      hasSmall |= Character.isLowerCase(c);
      lower = Character.toLowerCase(c);
    }
    word[length++] = lower;
    hash = SentimentLexicon.hash(hash, lower);
  }

  private boolean endsInNot() {
    return length > 3
        && word[length - 1] == 't'
        && word[length - 2] == '\''
        && word[length - 3] == 'n';
  }

  // "sooo goood": what stands there three times and more is meant once or twice.
  private boolean squeeze(int most) {
    var times = 1;
    var longest = 1;
    var to = 1;
    for (var i = 1; i < length; i++) {
      times = word[i] == word[i - 1] ? times + 1 : 1;
      longest = Math.max(longest, times);
      if (times <= most) word[to++] = word[i];
    }
    if (longest < 3 && !isSqueezed) return false;
    isSqueezed = true;
    length = to;
    hash = 0;
    for (var i = 0; i < length; i++) hash = SentimentLexicon.hash(hash, word[i]);
    return true;
  }
}
