package io.tidemill.content.keywords;

import io.tidemill.content.language.KoreanEndings;
import io.tidemill.content.language.LetterSample;
import io.tidemill.content.language.SpacelessScripts;
import java.text.BreakIterator;
import org.jspecify.annotations.Nullable;

/// Cuts a text into words, with a break wherever a phrase ends: at stop words and punctuation, at
/// numbers, addresses and names of users.
final class PhraseReader {
  private static final int LONGEST = 40;

  private final PhraseBreaks breaks;
  private final String text;
  private final int length;
  private final char[] lower;
  private final WordTable table;
  private final WordList list;
  private boolean isSentenceStart = true;
  private @Nullable BreakIterator thai;

  PhraseReader(String text, int length, PhraseBreaks breaks) {
    this.text = text;
    this.length = length;
    this.breaks = breaks;
    this.lower = new char[length];
    for (var i = 0; i < length; i++) lower[i] = lower(text.charAt(i));
    this.table = new WordTable(breaks, lower, length);
    this.list = new WordList(lower);
    read();
    end();
  }

  private static char lower(char c) {
    if (c < 128) return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
    return c == '’' ? '\'' : Character.toLowerCase(c);
  }

  private void read() {
    for (int at = 0, next; at < length; at = next) {
      var c = lower[at];
      if (c == ' ') next = readSpace(at);
      else if (isPart(c)) next = readWord(at);
      else next = readSign(at, c);
    }
  }

  private int readSpace(int at) {
    if (at > 0 && !isSpaced(lower[at - 1])) end();
    return at + 1;
  }

  private int readSign(int at, char c) {
    if (c == '@') {
      end();
      return chunkEnd(at);
    }
    // An indented line goes on with the one before.
    var isIndent = (c == '\n' || c == '\t') && at + 1 < length && isBlank(lower[at + 1]);
    if (c == '\t' || isIndent) return at + 1;
    end();
    if (c == '.' || c == '!' || c == '?' || c == '\n' || c == ':') isSentenceStart = true;
    return at + 1;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private int chunkEnd(int from) {
    var end = from;
    while (end < length && lower[end] > ' ' && lower[end] < 0x2E80) end++;
    return Math.max(end, from + 1);
  }

  private int readWord(int from) {
    var c = lower[from];
    if (c >= SpacelessScripts.FIRST && !isSpaced(c)) return readSpaceless(from, c);
    var end = wordEnd(from);
    if (isAddress(from, end)) {
      end();
      return chunkEnd(from);
    }
    var isTag = from > 0 && lower[from - 1] == '#';
    if (isTag) end();
    if (KoreanEndings.isHangul(lower[end - 1])) addKorean(from, end);
    else addWord(from, end, isTag);
    if (isTag) end();
    return end;
  }

  private int wordEnd(int from) {
    var end = from + 1;
    while (end < length) {
      var c = lower[end];
      if (!(isPart(c) ? isSpaced(c) : isJoint(end, c))) break;
      end++;
    }
    return end;
  }

  private boolean isJoint(int at, char c) {
    if (c != '-' && c != '\'' && c != '&' && c != '.' && c != '+' && c != '_') return false;
    return at + 1 < length && isPart(lower[at + 1]) && text.charAt(at + 1) == lower[at + 1];
  }

  private boolean isAddress(int from, int end) {
    if (end >= length) return false;
    if (lower[end] == '@') return true;
    if (lower[end] == ':')
      return end + 2 < length && lower[end + 1] == '/' && lower[end + 2] == '/';
    return text.startsWith("www.", from) || (lower[end] == '/' && text.indexOf('.', from, end) > 0);
  }

  private int readSpaceless(int from, char c) {
    if (SpacelessScripts.isHiragana(c)) {
      end();
      return from + 1;
    }
    var to = spacelessEnd(from, c);
    add(from, to, false);
    return to;
  }

  // Chinese words are found by what is repeated; Japanese ones have Hiragana around them.
  private int spacelessEnd(int from, char c) {
    if (SpacelessScripts.isThai(c)) return thaiEnd(from);
    var to = from + 1;
    if (SpacelessScripts.isHan(c) && !breaks.isJapanese()) return to;
    while (to < length && to - from < LONGEST && isCompound(lower[to])) to++;
    return to;
  }

  private static boolean isCompound(char c) {
    return SpacelessScripts.isKatakana(c) || SpacelessScripts.isHan(c);
  }

  private int thaiEnd(int from) {
    var words = thai;
    if (words == null) thai = words = SpacelessScripts.thaiWords(text.substring(0, length));
    // One after the other: to ask for the next of any place would go back to a safe one each time.
    while (words.current() <= from) if (words.next() == BreakIterator.DONE) return length;
    return words.current();
  }

  private static boolean isSpaced(char c) {
    return c < SpacelessScripts.FIRST
        || !(SpacelessScripts.isHan(c)
            || SpacelessScripts.isHiragana(c)
            || SpacelessScripts.isKatakana(c)
            || SpacelessScripts.isThai(c));
  }

  private static boolean isPart(char c) {
    if (c < 128) return LetterSample.isAsciiLetter(c) || (c >= '0' && c <= '9');
    if (Character.isLetterOrDigit(c)) return true;
    var type = Character.getType(c);
    return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
  }

  // A particle says that the noun, and with it the phrase, is over.
  private void addKorean(int from, int to) {
    var end = KoreanEndings.nounEnd(lower, from, to);
    if (KoreanEndings.isVerb(lower[to - 1]) || to - from > LONGEST) end();
    else add(from, end, false);
    if (end < to) end();
  }

  private void addWord(int from, int to, boolean isTag) {
    var apostrophe = apostrophe(from, to);
    var isOwner = apostrophe > 0 && to - apostrophe == 2 && lower[to - 1] == 's';
    var isVerb = apostrophe > 0 && to - apostrophe <= 3 && breaks.hasContraction();
    var start =
        apostrophe > 0 && breaks.hasElision() && to - apostrophe > 2 ? apostrophe + 1 : from;
    var end = isOwner ? apostrophe : to;
    if ((isVerb && !isOwner) || !isWord(start, end)) {
      end();
    } else {
      var isCapital = text.charAt(start) != lower[start];
      if (isNounEnd(isCapital)) end();
      add(start, end, isTag || (isCapital && (!isSentenceStart || breaks.hasCapitalNouns())));
      if (isOwner) end();
    }
    isSentenceStart = false;
  }

  private boolean isNounEnd(boolean isCapital) {
    if (!breaks.hasCapitalNouns() || isCapital || !list.isInPhrase()) return false;
    return text.charAt(list.lastStart()) != lower[list.lastStart()];
  }

  private int apostrophe(int from, int to) {
    for (var i = from; i < to; i++) if (lower[i] == '\'') return i;
    return -1;
  }

  // One letter is one in "Model Y", and a sign in a formula.
  private boolean isWord(int from, int to) {
    if (to - from == 1) return text.charAt(from) != lower[from];
    if (to - from > LONGEST) return false;
    for (var i = from; i < to; i++) if (Character.isLetter(lower[i])) return true;
    return false;
  }

  private void add(int from, int to, boolean isCapital) {
    var word = table.add(from, to, isCapital);
    if (word == WordTable.BREAK) end();
    else list.add(word, from, to);
  }

  private void end() {
    list.end();
  }

  /// Words and breaks, the last one a break.
  WordList list() {
    return list;
  }

  WordTable table() {
    return table;
  }
}
