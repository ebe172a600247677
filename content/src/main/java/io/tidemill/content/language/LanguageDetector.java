package io.tidemill.content.language;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Detects the language of a text as ISO 639-1: by script where that is enough, by n-grams where
/// several languages share a script. A text that fits none of its languages as well as their own
/// texts do has none. The model is loaded on first use.
public final class LanguageDetector {
  private static final int ENOUGH_LETTERS = 400;
  private static final int FEW_LETTERS = 20;
  // A hint wins over a better fit only within this share of it: near relatives.
  private static final double TIE = 0.97;
  // With this lead, in steps of the model, more letters will not change the result.
  private static final int CLEAR = 500;
  private static final int AT_ONCE = 100;

  // Above this doubt a text is of no language that we know. A long one is so sooner, one that
  // claims to be of such a language sooner still, and one that claims what it fits best later.
  private static final double DOUBT = 2.5;
  private static final double DOUBT_OF_LONG = 1.2;
  private static final double DOUBT_OF_OTHERS = 1;
  private static final double DOUBT_OF_CLAIMED = 5;
  private static final int LONG = 120;

  private static final Set<String> CODES = Set.of(Locale.getISOLanguages());

  // Loaded on first use.
  private static final class Lazy {
    static final NgramModel MODEL = NgramModel.load("languages.bin");
    static final LanguageFits FITS = new LanguageFits(MODEL);
  }

  /// How likely a text is, as the logarithm of its probability in the language that it fits best;
  /// ASCII counts for nothing.
  public double fluency(String text) {
    return NgramScorer.of(text, Lazy.MODEL);
  }

  /// The languages that n-grams distinguish.
  public List<String> known() {
    return Lazy.MODEL.languages();
  }

  /// The language of a text; empty when it has too few letters to say, or is of a language that we
  /// do not know.
  ///
  /// @param hint the declared language tag; used when the text itself is ambiguous, and when it is
  ///   of none of our languages and the hint is none of them either
  public String detect(CharSequence text, @Nullable String hint) {
    var claimed = primary(hint);
    var sample = new LetterSample(text, ENOUGH_LETTERS);
    if (sample.letters() == 0) return claimed;
    var byScript = sample.language();
    if ("yi".equals(byScript) && claimed.equals("he")) return claimed; // the same letters
    if (byScript != null) return byScript.isEmpty() ? unknown(claimed) : byScript;
    if (sample.letters() < FEW_LETTERS && !claimed.isEmpty()) return claimed;
    return byLetters(sample, claimed);
  }

  private String byLetters(LetterSample sample, String claimed) {
    sample.keepMainScript();
    var known = Lazy.MODEL;
    var sums = new int[known.languages().size()];
    var hinted = known.languages().indexOf(claimed);
    var at = 0;
    int best;
    do {
      at = sample.add(known, at, AT_ONCE, sums);
      best = best(sums);
      // When page and letters say the same, a few of them are enough.
    } while (at < sample.length() && best != hinted && !isClear(sums, best));
    if (sums[best] == 0) return claimed;
    var isClaimGood = hinted >= 0 && sums[hinted] >= sums[best] * TIE;
    var fit = fit(sample, at, sums);
    if (isClaimGood) return fit.doubt() > DOUBT_OF_CLAIMED ? "" : claimed;
    var language = known.languages().get(fit.language());
    var nearest = RelatedLanguages.nearest(language, sample.text());
    if (!nearest.equals(language)) return nearest;
    return fit.doubt() > limit(sample, claimed) ? unknown(claimed) : language;
  }

  // What is doubtful after some letters is so or not after all of them.
  private static LanguageFits.Fit fit(LetterSample sample, int end, int[] sums) {
    var fit = Lazy.FITS.of(sample, end, sums);
    if (fit.doubt() <= 0 || end >= sample.length()) return fit;
    sample.add(Lazy.MODEL, end, sample.length(), sums);
    return Lazy.FITS.of(sample, sample.length(), sums);
  }

  private static double limit(LetterSample sample, String claimed) {
    if (!unknown(claimed).isEmpty()) return DOUBT_OF_OTHERS;
    return sample.letters() < LONG ? DOUBT : DOUBT_OF_LONG;
  }

  // A claim of a language that we know is refuted by a text that fits none of them.
  private static String unknown(String claimed) {
    var isKnown = Lazy.MODEL.languages().contains(claimed) || LetterSample.knows(claimed);
    return isKnown ? "" : claimed;
  }

  private static int best(int[] sums) {
    var best = 0;
    for (var i = 1; i < sums.length; i++) if (sums[i] > sums[best]) best = i;
    return best;
  }

  private static boolean isClear(int[] sums, int best) {
    var limit = sums[best] - CLEAR;
    for (var i = 0; i < sums.length; i++) if (i != best && sums[i] > limit) return false;
    return true;
  }

  /// The language of a tag: `pt` of `pt-BR`; empty when it is none.
  static String primary(@Nullable String tag) {
    if (tag == null) return "";
    var end = 0;
    while (end < tag.length() && LetterSample.isAsciiLetter(tag.charAt(end))) end++;
    if (end != 2) return "";
    var code = tag.substring(0, 2).toLowerCase(Locale.ROOT);
    if (!CODES.contains(code)) return "";
    return switch (code) {
      case "no" -> "nb";
      case "iw" -> "he";
      case "in" -> "id";
      case "ji" -> "yi";
      default -> code;
    };
  }
}
