package io.tidemill.content.language;

import io.tidemill.content.text.ResourceText;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How well texts of each language fit it, and so whether a text that fits one best is of it.
///
/// Four measures: the sum of the text's n-grams in the language, its lead over all languages but
/// near relatives, the sum of the most frequent n-grams with the spaces around words, and the lead
/// of this over all languages that we cannot name.
final class LanguageFits {
  // Found by logistic regression over texts of languages that we know and do not know.
  private static final double BY_LETTERS = 0.77;
  private static final double BY_LEAD = 0.84;
  private static final double BY_FREQUENT = 0.71;
  private static final double BY_FREQUENT_LEAD = 0.83;
  // What frequent n-grams count beside all of them where two languages fit about as well, and what
  // share they are where we have none.
  private static final double FREQUENT = 0.07;
  private static final double USUAL_FREQUENT = 0.6;
  private static final double USUAL_DEVIATION = 94;
  private static final double WORST = -12;
  private static final double BEST = 6;

  // A text of a language fits its near relatives nearly as well.
  private static final List<Set<String>> RELATIVES =
      List.of(
          Set.of("bs", "hr", "sr", "sl", "mk"),
          Set.of("nb", "nn", "da", "sv"),
          Set.of("be", "uk", "ru", "bg"),
          Set.of("lg", "so", "sw"),
          Set.of("cs", "sk"),
          Set.of("id", "ms"),
          Set.of("zu", "xh"),
          Set.of("st", "tn"));

  /// The language that a text fits best.
  ///
  /// @param doubt that it is of this language; most of its texts stay below 0
  record Fit(int language, double doubt) {}

  /// A measure's mean for one row of letters, and how far a text of one letter deviates from it.
  private record Normal(double mean, double deviation) {
    double score(int sum, int rows, int letters) {
      var score = (sum - mean * rows) / Math.sqrt(letters) / deviation;
      return Math.clamp(score, WORST, BEST);
    }
  }

  private record Norms(Normal letters, @Nullable Normal frequent, @Nullable Normal lead) {}

  /// The measures of one text.
  ///
  /// @param letters how many it has
  /// @param rows of one to four letters
  /// @param sum of these rows in the language
  /// @param frequentRows rows with spaces
  /// @param frequent their sum in the language
  /// @param other their sum in the best language of those that we cannot name
  record Measures(int letters, int rows, int sum, int frequentRows, int frequent, int other) {}

  private final NgramModel model;
  private final NgramModel fingerprints = NgramModel.load("fingerprints.bin");
  private final int[] places;
  private final boolean[] isOther;
  private final @Nullable Norms[] norms;

  LanguageFits(NgramModel model) {
    this.model = model;
    var languages = model.languages();
    places = new int[languages.size()];
    norms = new @Nullable Norms[languages.size()];
    isOther = new boolean[fingerprints.languages().size()];
    for (var i = 0; i < places.length; i++) {
      places[i] = fingerprints.languages().indexOf(languages.get(i));
    }
    for (var i = 0; i < isOther.length; i++) {
      var language = fingerprints.languages().get(i);
      isOther[i] = !languages.contains(language) && !LetterSample.knows(language);
    }
    ResourceText.lines(LanguageFits.class, "fits.txt").forEach(this::read);
  }

  private void read(String line) {
    var fields = line.split(" ", -1);
    var numbers = new double[fields.length];
    for (var i = 1; i < fields.length; i++) numbers[i] = Double.parseDouble(fields[i]);
    var hasFrequent = fields.length > 3;
    norms[model.languages().indexOf(fields[0])] =
        new Norms(
            new Normal(numbers[1], numbers[2]),
            hasFrequent ? new Normal(numbers[3], numbers[4]) : null,
            hasFrequent ? new Normal(numbers[5], numbers[6]) : null);
  }

  /// The language that a text fits best, and how much speaks against it.
  ///
  /// @param end how much of the sample was read
  /// @param sums of its n-grams in each language
  Fit of(LetterSample sample, int end, int[] sums) {
    var frequent = new int[isOther.length];
    var rows = sample.addWithSpaces(fingerprints, end, frequent);
    var best = best(sums, frequent);
    return new Fit(best, doubt(best, sums, measure(sample, end, best, sums[best], rows, frequent)));
  }

  private int best(int[] sums, int[] frequent) {
    var best = 0;
    var most = 0.0;
    for (var i = 0; i < sums.length; i++) {
      var share = places[i] < 0 ? sums[i] * USUAL_FREQUENT : frequent[places[i]];
      var sum = sums[i] + FREQUENT * share;
      if (sum <= most) continue;
      most = sum;
      best = i;
    }
    return best;
  }

  private double doubt(int language, int[] sums, Measures text) {
    var normal = norms[language];
    if (normal == null) return 0;
    var doubt = -BY_LETTERS * normal.letters.score(text.sum, text.rows, text.letters);
    doubt -= BY_LEAD * lead(language, sums) / Math.sqrt(text.letters) / USUAL_DEVIATION;
    if (normal.frequent != null && normal.lead != null) {
      var lead = text.frequent - text.other;
      doubt += BY_FREQUENT * normal.frequent.score(text.frequent, text.frequentRows, text.letters);
      doubt -= BY_FREQUENT_LEAD * normal.lead.score(lead, text.frequentRows, text.letters);
    }
    return doubt;
  }

  private int lead(int language, int[] sums) {
    var next = 0;
    for (var i = 0; i < sums.length; i++) {
      if (i != language && sums[i] > next && !isRelative(language, i)) next = sums[i];
    }
    return sums[language] - next;
  }

  private boolean isRelative(int one, int other) {
    for (var group : RELATIVES) {
      if (group.contains(model.languages().get(one))) {
        return group.contains(model.languages().get(other));
      }
    }
    return false;
  }

  Measures measure(LetterSample sample, int language, int sum) {
    var frequent = new int[isOther.length];
    var rows = sample.addWithSpaces(fingerprints, sample.length(), frequent);
    return measure(sample, sample.length(), language, sum, rows, frequent);
  }

  private Measures measure(
      LetterSample sample, int end, int language, int sum, int rows, int[] frequent) {
    var other = 0;
    for (var i = 0; i < frequent.length; i++) {
      if (isOther[i]) other = Math.max(other, frequent[i]);
    }
    var own = places[language] < 0 ? 0 : frequent[places[language]];
    return new Measures(sample.letters(end), sample.rows(end), sum, rows, own, other);
  }

  /// Whether the frequent n-grams of the language are known.
  boolean hasFrequent(int language) {
    return places[language] >= 0;
  }
}
