package io.tidemill.content.language;

/// How likely a text is, as the logarithm of its probability in the language that it fits best.
final class NgramScorer {
  private static final double NO_CHARACTER = -25;
  private static final double CONTROL = -20;
  private static final double ODD_SIGN = -10;
  private static final double USUAL_SIGN = -4;
  private static final double ODD_CASE = -8;
  private static final double ODD_MIX = -8;
  private static final int EAST = 0x2E80;
  private static final String USUAL_SIGNS = "\u00A0«»“”„‘’‚–—…©®°·•€£§¿¡№´ªº¹²³½";

  private final NgramModel model;
  private final int[] alone;
  private final int[] inContext;
  private int letters;
  private int firstLetters;
  private double signs;

  private NgramScorer(NgramModel model) {
    this.model = model;
    this.alone = new int[model.languages().size()];
    this.inContext = new int[model.languages().size()];
  }

  static double of(String text, NgramModel model) {
    var fluency = new NgramScorer(model);
    fluency.read(text);
    return fluency.best();
  }

  private void read(String text) {
    var before = ' ';
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c >= 128 || before >= 128) count(before, c);
      before = c;
    }
  }

  private void count(char before, char c) {
    if (!LetterSample.isLetter(c)) {
      if (c >= 128) signs += sign(c);
      return;
    }
    var lower = LetterSample.lower(c);
    letters++;
    model.add(lower, alone);
    if (LetterSample.isLetter(before)) {
      model.add((long) LetterSample.lower(before) << 16 | lower, inContext);
      if (Character.isUpperCase(c) && Character.isLowerCase(before)) signs += ODD_CASE;
      if (isMix(before, c)) signs += ODD_MIX;
    } else {
      firstLetters++;
      model.add(lower, inContext);
    }
  }

  // No alphabet mixes with Latin letters within a word; Chinese text does.
  private static boolean isMix(char before, char c) {
    return before < EAST && c < EAST && isLatin(before) != isLatin(c);
  }

  private static boolean isLatin(char c) {
    return c < 0x300 || (c >= 0x1E00 && c < 0x1F00);
  }

  private static double sign(char c) {
    if (c == '\uFFFD') return NO_CHARACTER;
    // The model has letters only: vowel signs and tones count as usual signs.
    if (c >= 0x590 && Character.getType(c) == Character.NON_SPACING_MARK) return USUAL_SIGN;
    if (c < 0xA0 || (c >= 0xE000 && c < 0xF900)) return CONTROL;
    // Punctuation of the Far East.
    if ((c >= 0x3000 && c < 0x3020) || (c >= 0xFF01 && c <= 0xFF20)) return USUAL_SIGN;
    return USUAL_SIGNS.indexOf(c) >= 0 ? USUAL_SIGN : ODD_SIGN;
  }

  // Languages whose letters are known only one by one are measured by these alone.
  private double best() {
    var best = Double.NEGATIVE_INFINITY;
    for (var i = 0; i < alone.length; i++) {
      var one = NgramModel.RAREST_LETTER * letters + (double) alone[i] / NgramModel.STEPS;
      var two =
          NgramModel.RAREST_LETTER * firstLetters
              + NgramModel.RAREST * (letters - firstLetters)
              + (double) inContext[i] / NgramModel.STEPS;
      best = Math.max(best, Math.max(model.hasPairs(i) ? Double.NEGATIVE_INFINITY : one, two));
    }
    return signs + best;
  }
}
