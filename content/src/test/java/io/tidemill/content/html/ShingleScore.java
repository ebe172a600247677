package io.tidemill.content.html;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/// How much two texts have in common, counted in runs of four words: the measure of the article
/// extraction benchmark.
record ShingleScore(double precision, double recall) {
  private static final Pattern WORD = Pattern.compile("\\w+", Pattern.UNICODE_CHARACTER_CLASS);
  private static final int WORDS = 4;

  static ShingleScore of(String expected, String found) {
    var truth = shingles(expected);
    var guess = shingles(found);
    var hits = 0;
    for (var entry : truth.entrySet()) {
      hits += Math.min(entry.getValue(), guess.getOrDefault(entry.getKey(), 0));
    }
    return new ShingleScore(share(hits, count(guess)), share(hits, count(truth)));
  }

  static ShingleScore mean(Collection<ShingleScore> scores) {
    return new ShingleScore(
        mean(scores, ShingleScore::precision), mean(scores, ShingleScore::recall));
  }

  /// Of the means, as the benchmark has it, and not the mean of the pages' F1.
  double f1() {
    return precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall);
  }

  @Override
  public String toString() {
    return "F1 %.4f, precision %.4f, recall %.4f".formatted(f1(), precision, recall);
  }

  /// A page without a prediction has no precision and is left out there (NaN).
  private static double mean(
      Collection<ShingleScore> scores, ToDoubleFunction<ShingleScore> figure) {
    return scores.stream()
        .mapToDouble(figure)
        .filter(value -> !Double.isNaN(value))
        .average()
        .orElse(0);
  }

  private static double share(int hits, int all) {
    return all == 0 ? Double.NaN : (double) hits / all;
  }

  private static int count(Map<List<String>, Integer> shingles) {
    return shingles.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static Map<List<String>, Integer> shingles(String text) {
    var words = words(text);
    var shingles = new HashMap<List<String>, Integer>();
    for (var i = 0; i < Math.max(1, words.size() - WORDS + 1); i++) {
      var shingle = words.subList(i, Math.min(i + WORDS, words.size()));
      if (!shingle.isEmpty()) shingles.merge(List.copyOf(shingle), 1, Integer::sum);
    }
    return shingles;
  }

  private static List<String> words(String text) {
    var words = new ArrayList<String>();
    var matcher = WORD.matcher(text);
    while (matcher.find()) words.add(matcher.group());
    return words;
  }
}
