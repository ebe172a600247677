package io.tidemill.content.language;

/// Endings of Korean words: particles, which are written together with their noun, and verbs.
public final class KoreanEndings {
  private static final String[] PARTICLES = {
    "에서", "으로", "에게", "부터", "까지", "처럼", "보다", "이라", "은", "는", "이", "가", "을", "를", "의", "에", "로",
    "와", "과", "도", "만"
  };
  private static final String VERB_ENDS = "다요까죠네";
  private static final int SHORTEST = 2;

  private KoreanEndings() {}

  public static boolean isHangul(char c) {
    return c >= 0xAC00 && c <= 0xD7A3;
  }

  public static boolean isVerb(char last) {
    return VERB_ENDS.indexOf(last) >= 0;
  }

  /// Where a noun ends and its particle begins.
  public static int nounEnd(char[] chars, int from, int to) {
    for (var particle : PARTICLES) {
      var end = to - particle.length();
      if (end - from >= SHORTEST && isAt(particle, chars, end)) return end;
    }
    return to;
  }

  private static boolean isAt(String particle, char[] chars, int at) {
    for (var i = 0; i < particle.length(); i++) {
      if (chars[at + i] != particle.charAt(i)) return false;
    }
    return true;
  }
}
