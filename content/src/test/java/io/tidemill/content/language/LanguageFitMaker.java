package io.tidemill.content.language;

import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/// Makes `fits.txt`: how well the sentences and pairs of words in the corpus fit their language.
final class LanguageFitMaker {
  private static final int ENOUGH_LETTERS = 400;
  private static final int SHORTEST = 6;
  private static final double TAIL = 0.03;
  // A deviation that few texts show counts as if so many more had the usual one.
  private static final int USUAL = 10;

  /// @param square the sum of squared deviations of texts
  private record Spread(double mean, double square, int texts) {
    double deviation(double usual) {
      return Math.sqrt((square + USUAL * usual * usual) / (texts + USUAL));
    }

    double root() {
      return Math.sqrt(square / texts);
    }
  }

  private LanguageFitMaker() {}

  /// @param arguments the file to write
  static void main(String[] arguments) throws IOException {
    var model = NgramModel.load("languages.bin");
    var fits = new LanguageFits(model);
    var all = new TreeMap<String, List<LanguageFits.Measures>>();
    for (var row : Corpora.lines("language-text/lingua-language-id.jsonl.gz")) {
      if (row.get("kind").stringValue().equals("single-words")) continue;
      var language = row.get("lang").stringValue();
      var sample = new LetterSample(row.get("text").stringValue(), ENOUGH_LETTERS);
      if (sample.language() != null || sample.letters() < SHORTEST) continue;
      sample.keepMainScript();
      var sums = new int[model.languages().size()];
      sample.add(model, 0, Integer.MAX_VALUE, sums);
      var at = model.languages().indexOf(language);
      if (at < 0 || sums[at] < Arrays.stream(sums).max().orElseThrow()) continue;
      all.computeIfAbsent(language, _ -> new ArrayList<>()).add(fits.measure(sample, at, sums[at]));
    }
    write(Path.of(arguments[0]), model, fits, all);
  }

  private static void write(
      Path file, NgramModel model, LanguageFits fits, Map<String, List<LanguageFits.Measures>> all)
      throws IOException {
    var letters = new TreeMap<String, Spread>();
    var frequent = new TreeMap<String, Spread>();
    var lead = new TreeMap<String, Spread>();
    all.forEach((language, texts) -> {
      letters.put(language, spread(texts, LanguageFits.Measures::sum, false));
      frequent.put(language, spread(texts, LanguageFits.Measures::frequent, true));
      lead.put(language, spread(texts, text -> text.frequent() - text.other(), true));
    });
    var lines = new ArrayList<String>();
    lines.add(
        "# How well a language's texts fit it: mean and deviation of its n-grams' weights, of");
    lines.add(
        "# its most frequent ones and of their lead. Made by LanguageFitMaker (in the tests).");
    for (var language : all.keySet()) {
      var line = new StringBuilder(language).append(numbers(letters, language));
      if (fits.hasFrequent(model.languages().indexOf(language))) {
        line.append(numbers(frequent, language)).append(numbers(lead, language));
      }
      lines.add(line.toString());
    }
    Files.write(file, lines);
  }

  private static String numbers(Map<String, Spread> all, String language) {
    var roots = all.values().stream().mapToDouble(Spread::root).sorted().toArray();
    var spread = all.getOrDefault(language, new Spread(0, 0, 0));
    return String.format(
        Locale.ROOT, " %.2f %.1f", spread.mean, spread.deviation(roots[roots.length / 2]));
  }

  // The farthest few count as the next ones: they are of another language, or broken.
  private static Spread spread(
      List<LanguageFits.Measures> texts,
      ToIntFunction<LanguageFits.Measures> measure,
      boolean isFrequent) {
    ToIntFunction<LanguageFits.Measures> rows =
        isFrequent ? LanguageFits.Measures::frequentRows : LanguageFits.Measures::rows;
    var mean =
        texts.stream().mapToDouble(measure::applyAsInt).sum()
            / texts.stream().mapToDouble(rows::applyAsInt).sum();
    var deviations =
        texts.stream()
            .mapToDouble(text ->
                (measure.applyAsInt(text) - mean * rows.applyAsInt(text))
                    / Math.sqrt(text.letters()))
            .sorted()
            .toArray();
    var tail = (int) (deviations.length * TAIL) + 1;
    for (var i = 0; i < Math.min(tail, deviations.length / 2); i++) {
      deviations[i] = deviations[Math.min(tail, deviations.length - 1)];
      deviations[deviations.length - 1 - i] = deviations[Math.max(0, deviations.length - 1 - tail)];
    }
    return new Spread(mean, Arrays.stream(deviations).map(d -> d * d).sum(), deviations.length);
  }
}
