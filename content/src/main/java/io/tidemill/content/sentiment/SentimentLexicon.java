package io.tidemill.content.sentiment;

import io.tidemill.content.text.ResourceText;
import java.util.Arrays;

/// English words, emoticons and idioms with their effect on the sentiment, each with an id.
///
/// A hash table in flat arrays that is looked up by a part of a buffer: every word of every text is
/// looked up, and most are unknown.
final class SentimentLexicon {
  /// The id of unknown words.
  static final int UNKNOWN = 0;

  enum Role {
    PLAIN,
    RATED,
    BOOSTER,
    NEGATION,
    NO,
    BUT,
    LEAST,
    EMPHASIS
  }

  private static final int SIZE = 1 << 15;
  private static final int MOST = 1 << 13;

  private final String[] keys = new String[MOST];
  private final float[] values = new float[MOST];
  private final Role[] roles = new Role[MOST];
  private final int[][][] idioms = new int[MOST][][];
  private final short[] slots = new short[SIZE];
  private int count = 1;
  private int not;
  private int end;

  private SentimentLexicon() {
    Arrays.fill(keys, "");
    Arrays.fill(roles, Role.PLAIN);
    Arrays.fill(idioms, new int[0][]);
  }

  static SentimentLexicon load() {
    var words = new SentimentLexicon();
    ResourceText.lines(SentimentLexicon.class, "sentiment.txt").forEach(words::rate);
    ResourceText.lines(SentimentLexicon.class, "sentiment-rules.txt").forEach(words::rule);
    words.not = words.add("not");
    words.end = words.add("\n");
    return words;
  }

  private void rate(String line) {
    var tab = line.indexOf('\t');
    set(
        line.substring(0, tab).split(" ", -1),
        Role.RATED,
        Float.parseFloat(line.substring(tab + 1)));
  }

  private void rule(String line) {
    var fields = line.split(" ", -1);
    var role = role(fields[0]);
    for (var i = 2; i < fields.length; i++) {
      set(fields[i].split("_", -1), role, Float.parseFloat(fields[1]));
    }
  }

  private static Role role(String kind) {
    return switch (kind) {
      case "booster" -> Role.BOOSTER;
      case "negation" -> Role.NEGATION;
      case "no" -> Role.NO;
      case "but" -> Role.BUT;
      case "least" -> Role.LEAST;
      case "emphasis" -> Role.EMPHASIS;
      case "word" -> Role.PLAIN;
      case "idiom", "emoji" -> Role.RATED;
      default -> throw new IllegalStateException("sentiment-rules.txt has the kind " + kind);
    };
  }

  private void set(String[] parts, Role role, float value) {
    var id = add(String.join(" ", parts));
    roles[id] = role;
    if (role != Role.NO) values[id] = value;
    if (parts.length == 1) return;
    var idiom = new int[parts.length + 1];
    for (var i = 0; i < parts.length; i++) idiom[i] = add(parts[i]);
    idiom[parts.length] = id;
    var known = idioms[idiom[0]];
    var all = Arrays.copyOf(known, known.length + 1);
    all[all.length - 1] = idiom;
    Arrays.sort(all, (one, other) -> other.length - one.length);
    idioms[idiom[0]] = all;
  }

  private int add(String key) {
    var chars = key.toCharArray();
    var hash = 0;
    for (var c : chars) hash = hash(hash, c);
    var known = find(chars, chars.length, hash);
    if (known != UNKNOWN) return known;
    var slot = slot(hash);
    while (slots[slot] != 0) slot = (slot + 1) & (SIZE - 1);
    slots[slot] = (short) count;
    keys[count] = key;
    return count++;
  }

  /// The hash of one character more.
  static int hash(int before, char c) {
    return before * 31 + c;
  }

  private static int slot(int hash) {
    return (hash * 0x9E3779B9) >>> 17;
  }

  /// The number of a word in lower case.
  int find(char[] word, int length, int hash) {
    for (var slot = slot(hash); slots[slot] != 0; slot = (slot + 1) & (SIZE - 1)) {
      if (isKey(keys[slots[slot]], word, length)) return slots[slot];
    }
    return UNKNOWN;
  }

  private static boolean isKey(String key, char[] word, int length) {
    if (key.length() != length) return false;
    for (var i = 0; i < length; i++) if (key.charAt(i) != word[i]) return false;
    return true;
  }

  /// The number of "not".
  int not() {
    return not;
  }

  /// The number of the end of a sentence.
  int end() {
    return end;
  }

  Role role(int id) {
    return roles[id];
  }

  /// The rating of a word, or the weight of a booster.
  float value(int id) {
    return values[id];
  }

  /// The idioms that begin with a word, the longest first: the numbers of their words, then their
  /// own.
  int[][] idioms(int first) {
    return idioms[first];
  }
}
