package io.tidemill.content.language;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The first letters of a text, lower-cased, with one space between words, and how many of them
/// belong to which script.
@SuppressWarnings("EnumOrdinal") // counts by script are an array, as they are made once a letter
public final class LetterSample {
  private enum Script {
    LATIN(null),
    CYRILLIC(null),
    ARABIC(null),
    DEVANAGARI(null),
    ETHIOPIC(null),
    HAN("zh"),
    KANA("ja"),
    HANGUL("ko"),
    GREEK("el"),
    HEBREW("he"),
    ARMENIAN("hy"),
    GEORGIAN("ka"),
    BENGALI("bn"),
    GURMUKHI("pa"),
    GUJARATI("gu"),
    ORIYA("or"),
    TAMIL("ta"),
    TELUGU("te"),
    KANNADA("kn"),
    MALAYALAM("ml"),
    SINHALA("si"),
    THAI("th"),
    LAO("lo"),
    TIBETAN("bo"),
    BURMESE("my"),
    KHMER("km"),
    OTHER(null);

    final @Nullable String language;

    Script(@Nullable String language) {
      this.language = language;
    }
  }

  private static final Set<String> KNOWN_BY_SIGNS = Set.of("am", "ti", "yi", "as", "om");
  // One of so many letters is enough to tell a language that has it from one that has not.
  private static final int MARK = 50;
  private static final int YIDDISH = 11;
  private static final int ENOUGH_FOR_SHARE = 100;
  private static final int LONGEST_ROW = 4;

  private final char[] chars;
  private int length;
  private final int letters;
  private final int[] counts = new int[Script.values().length];

  LetterSample(CharSequence text, int enough) {
    chars = new char[Math.min(text.length(), enough * 2) + 1];
    var at = 0;
    var found = 0;
    var gap = true;
    for (var i = 0; i < text.length() && found < enough && at < chars.length; i++) {
      var c = text.charAt(i);
      if (isLetter(c)) {
        chars[at++] = lower(c);
        counts[script(c).ordinal()]++;
        found++;
        gap = false;
      } else if (!gap) {
        chars[at++] = ' ';
        gap = true;
      }
    }
    length = at;
    letters = found;
  }

  int letters() {
    return letters;
  }

  /// The language, where the script alone tells; empty where it is that of none we know, null where
  /// several share it.
  @Nullable String language() {
    var cjk = count(Script.HAN) + count(Script.KANA) + count(Script.HANGUL);
    // One Chinese character says about as much as three letters.
    if (cjk * 3 > letters - cjk) return cjk(cjk);
    return switch (dominant()) {
      case ETHIOPIC -> ethiopic();
      case HEBREW -> hebrew();
      case BENGALI -> has("ৰৱ", MARK) ? "as" : "bn";
      // Shan, Mon and Karen have letters of their own.
      case BURMESE -> has("ၚၛၜၝၞၟၠၡၥၦၮၯၰၵၶၷၸၹၺၻၼၽၾၿႀႁ", MARK) ? "" : "my";
      case OTHER -> "";
      default -> dominant().language;
    };
  }

  // Yiddish writes a vowel with the letter that Hebrew hardly uses.
  private String hebrew() {
    return has("װױײ", MARK) || (letters >= ENOUGH_FOR_SHARE && has("ע", YIDDISH)) ? "yi" : "he";
  }

  private boolean has(String signs, int share) {
    var count = 0;
    for (var i = 0; i < length; i++) if (signs.indexOf(chars[i]) >= 0) count++;
    return count * share > letters;
  }

  /// Whether a text may be told to be of this language without n-grams.
  static boolean knows(String language) {
    for (var script : Script.values()) if (language.equals(script.language)) return true;
    return KNOWN_BY_SIGNS.contains(language);
  }

  /// Leaves out words of another script than most letters have: names, mostly.
  void keepMainScript() {
    var main = dominant();
    if (count(main) == letters) return;
    var at = 0;
    for (int from = 0, to; from < length; from = to + 1) {
      to = from;
      while (to < length && chars[to] != ' ') to++;
      if (script(chars[from]) != main) continue;
      System.arraycopy(chars, from, chars, at, to - from);
      at += to - from;
      if (at < chars.length) chars[at++] = ' ';
    }
    length = at;
  }

  private String cjk(int all) {
    if (count(Script.HANGUL) * 3 > all) return "ko";
    return count(Script.KANA) * 20 > all ? "ja" : "zh";
  }

  // Tigrinya is full of letters that Amharic hardly uses, and the other way round.
  private String ethiopic() {
    var balance = 0;
    for (var i = 0; i < length; i++) {
      var c = chars[i];
      if (isIn(c, 0x1250, 0x125D) || isIn(c, 0x12B8, 0x12C5)) balance++;
      else if (isIn(c, 0x1210, 0x1217) || isIn(c, 0x12D0, 0x12D6)) balance++;
      else if ("ኣዓሓዝ".indexOf(c) >= 0) balance++;
      else if ("አየችኛውኝ".indexOf(c) >= 0) balance--;
    }
    return balance > 0 ? "ti" : "am";
  }

  private Script dominant() {
    var best = Script.LATIN;
    for (var script : Script.values()) if (count(script) > count(best)) best = script;
    return best;
  }

  private int count(Script script) {
    return counts[script.ordinal()];
  }

  /// Adds to each language's sum how well the letters of a part fit it.
  ///
  /// @return where the next part begins: behind the word in which this one ends
  int add(NgramModel model, int from, int least, int[] sums) {
    var key = 0L;
    var run = 0;
    for (var i = from; i < length; i++) {
      var c = chars[i];
      if (c == ' ') {
        if (i - from >= least) return i + 1;
        key = 0;
        run = 0;
        continue;
      }
      key = key << 16 | c;
      run++;
      model.add(c, sums);
      if (run > 1) model.add(key & 0xFFFF_FFFFL, sums);
      if (run > 2) model.add(key & 0xFFFF_FFFF_FFFFL, sums);
      if (run > 3) model.add(key, sums);
    }
    return length;
  }

  /// Adds to each language's sum how well the letters up to a place fit it, with the spaces around
  /// words.
  ///
  /// @return how many rows of one to four letters and spaces these are
  int addWithSpaces(NgramModel model, int end, int[] sums) {
    var rows = 0;
    for (int from = 0, to; from < end; from = to + 1) {
      var key = (long) ' ';
      for (to = from; to < end && chars[to] != ' '; to++) {
        key = key << 16 | chars[to];
        model.add(chars[to], sums);
        rows += 1 + addPairs(model, key, to - from + 2, sums);
      }
      rows += addPairs(model, key << 16 | ' ', to - from + 2, sums);
    }
    return rows;
  }

  // The last two to four of a run.
  private static int addPairs(NgramModel model, long key, int run, int[] sums) {
    model.add(key & 0xFFFF_FFFFL, sums);
    if (run > 2) model.add(key & 0xFFFF_FFFF_FFFFL, sums);
    if (run > 3) model.add(key, sums);
    return Math.min(run, LONGEST_ROW) - 1;
  }

  /// How many rows of one to four letters [#add] counts up to a place.
  int rows(int end) {
    var rows = 0;
    var run = 0;
    for (var i = 0; i < end; i++) {
      run = chars[i] == ' ' ? 0 : run + 1;
      rows += Math.min(run, LONGEST_ROW);
    }
    return rows;
  }

  /// How many letters there are up to a place.
  int letters(int end) {
    var count = 0;
    for (var i = 0; i < end; i++) if (chars[i] != ' ') count++;
    return count;
  }

  /// Words in lower case with one space between them.
  String text() {
    return new String(chars, 0, length);
  }

  int length() {
    return length;
  }

  static boolean isLetter(char c) {
    return c < 128 ? isAsciiLetter(c) : Character.isLetter(c);
  }

  public static boolean isAsciiLetter(char c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  }

  private static boolean isIn(char c, int first, int last) {
    return c >= first && c <= last;
  }

  static char lower(char c) {
    return c < 128 ? (char) (c | 0x20) : Character.toLowerCase(c);
  }

  private static Script script(char c) {
    if (c < 0x370 || isIn(c, 0x1E00, 0x1EFF)) return Script.LATIN;
    if (c < 0x400) return Script.GREEK;
    if (c < 0x530) return Script.CYRILLIC;
    if (c < 0x590) return Script.ARMENIAN;
    if (c < 0x600) return Script.HEBREW;
    if (c < 0x780) return isIn(c, 0x700, 0x74F) ? Script.OTHER : Script.ARABIC;
    if (c < 0x900) return Script.OTHER;
    if (c < 0x1100) return indic(c);
    return eastern(c);
  }

  private static Script indic(char c) {
    return switch (c >> 7) {
      case 0x900 >> 7 -> Script.DEVANAGARI;
      case 0x980 >> 7 -> Script.BENGALI;
      case 0xA00 >> 7 -> Script.GURMUKHI;
      case 0xA80 >> 7 -> Script.GUJARATI;
      case 0xB00 >> 7 -> Script.ORIYA;
      case 0xB80 >> 7 -> Script.TAMIL;
      case 0xC00 >> 7 -> Script.TELUGU;
      case 0xC80 >> 7 -> Script.KANNADA;
      case 0xD00 >> 7 -> Script.MALAYALAM;
      case 0xD80 >> 7 -> Script.SINHALA;
      case 0xE00 >> 7 -> Script.THAI;
      case 0xE80 >> 7 -> Script.LAO;
      case 0xF00 >> 7, 0xF80 >> 7 -> Script.TIBETAN;
      default -> c < 0x10A0 ? Script.BURMESE : Script.GEORGIAN;
    };
  }

  private static Script eastern(char c) {
    if (c < 0x1200) return Script.HANGUL;
    if (c < 0x13A0) return Script.ETHIOPIC;
    if (isIn(c, 0x1780, 0x17FF)) return Script.KHMER;
    if (isIn(c, 0x3040, 0x30FF) || isIn(c, 0xFF66, 0xFF9D)) return Script.KANA;
    if (isIn(c, 0x3400, 0x9FFF) || isIn(c, 0xF900, 0xFAFF)) return Script.HAN;
    if (isIn(c, 0xAC00, 0xD7AF)) return Script.HANGUL;
    if (isIn(c, 0xFB1D, 0xFB4F)) return Script.HEBREW;
    if (isIn(c, 0xFB50, 0xFEFF)) return Script.ARABIC;
    if (isIn(c, 0x1F00, 0x1FFF)) return Script.GREEK;
    if (isIn(c, 0x1C90, 0x1CBF)) return Script.GEORGIAN;
    if (isIn(c, 0xFF21, 0xFF5A)) return Script.LATIN;
    return Script.OTHER;
  }
}
