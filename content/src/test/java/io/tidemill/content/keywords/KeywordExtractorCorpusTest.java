package io.tidemill.content.keywords;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.language.StopWords;
import io.tidemill.testing.Corpora;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.tartarus.snowball.ext.EnglishStemmer;

/// Keywords against those that people gave abstracts, and against TF-IDF.
class KeywordExtractorCorpusTest {
  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");
  private static final int MOST = 10;

  private record Abstract(String text, Set<String> keys) {}

  @Test
  void isFarBetterThanCountingWords() {
    var abstracts = abstracts();
    var frequencies = new HashMap<String, Integer>();
    for (var one : abstracts) {
      for (var gram : new HashSet<>(grams(one.text))) frequencies.merge(gram, 1, Integer::sum);
    }

    var ours =
        score(
            abstracts,
            text -> KeywordExtractor.of(text, "en", MOST).stream().map(Keyword::phrase).toList());
    var theirs = score(abstracts, text -> byFrequency(text, frequencies, abstracts.size()));

    LoggerFactory.getLogger(KeywordExtractorCorpusTest.class)
        .warn("keywords F1@10 = {}, TF-IDF = {}", ours, theirs);
    assertThat(ours).isGreaterThan(0.30).isGreaterThan(theirs * 1.5);
  }

  private static List<Abstract> abstracts() {
    return Corpora.lines("language-text/keywords-Inspec.jsonl.gz").stream()
        .map(row -> {
          var keys = new HashSet<String>();
          for (var key : row.get("keys")) keys.add(stemmed(key.stringValue()));
          return new Abstract(row.get("text").stringValue(), keys);
        })
        .toList();
  }

  /// The mean of F1 over all texts, by stems.
  private static double score(List<Abstract> abstracts, Function<String, List<String>> finder) {
    var sum = 0.0;
    for (var one : abstracts) {
      var found = new LinkedHashSet<String>();
      for (var phrase : finder.apply(one.text)) if (found.size() < MOST) found.add(stemmed(phrase));
      var right = found.stream().filter(one.keys::contains).count();
      sum += 2.0 * right / (found.size() + one.keys.size());
    }
    return sum / abstracts.size();
  }

  private static List<String> byFrequency(
      String text, Map<String, Integer> frequencies, int texts) {
    var scores = new HashMap<String, Double>();
    for (var gram : grams(text)) {
      scores.merge(gram, Math.log((double) texts / frequencies.getOrDefault(gram, 1)), Double::sum);
    }
    return scores.entrySet().stream()
        .sorted(
            Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /// One to three words in a row without stop words.
  private static List<String> grams(String text) {
    var words = NO_WORD.split(text.toLowerCase(Locale.ROOT), -1);
    var grams = new ArrayList<String>();
    for (var from = 0; from < words.length; from++) {
      var gram = "";
      for (var at = from; at < Math.min(words.length, from + 3) && isContent(words[at]); at++) {
        gram = gram.isEmpty() ? words[at] : gram + " " + words[at];
        grams.add(gram);
      }
    }
    return grams;
  }

  private static boolean isContent(String word) {
    return !StopWords.contains(word) && word.chars().anyMatch(Character::isLetter);
  }

  private static String stemmed(String phrase) {
    var stemmer = new EnglishStemmer();
    var stems = new ArrayList<String>();
    for (var word : NO_WORD.split(phrase.toLowerCase(Locale.ROOT), -1)) {
      stemmer.setCurrent(word);
      stemmer.stem();
      if (!word.isEmpty()) stems.add(stemmer.getCurrent());
    }
    return String.join(" ", stems);
  }
}
