package io.tidemill.content.keywords;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.html.Tar;
import io.tidemill.content.language.LanguageDetector;
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
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tartarus.snowball.ext.EnglishStemmer;
import tools.jackson.databind.json.JsonMapper;

/// Keywords against those that people gave abstracts and publishers their articles, and against
/// TF-IDF that knows how many of these texts have a word.
class KeywordExtractorCorpusTest {
  private static final Logger LOG = LoggerFactory.getLogger(KeywordExtractorCorpusTest.class);
  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");
  private static final int MOST = 10;
  private static final int FEWEST_KEYS = 2;
  private static final LanguageDetector LANGUAGES = new LanguageDetector();

  /// A text, and keywords by their stems.
  private record Keyed(String text, String language, Set<String> keys) {}

  @Test
  void isFarBetterThanCountingWords() {
    var abstracts = abstracts();

    var ours = ours(abstracts);
    var theirs = byFrequency(abstracts);

    LOG.warn("keywords of abstracts F1@10 = {}, TF-IDF = {}", ours, theirs);
    assertThat(ours).isGreaterThan(0.30).isGreaterThan(theirs * 1.5);
  }

  @Test
  void isBetterThanCountingWordsInNewsToo() {
    var articles = articles();
    var halves = List.of(half(articles, 0), half(articles, 1));

    LOG.warn(
        "keywords of {} articles F1@10 = {}, TF-IDF = {}",
        articles.size(),
        ours(articles),
        byFrequency(articles));
    assertThat(articles).hasSizeGreaterThan(50);
    assertThat(ours(articles)).isGreaterThan(byFrequency(articles));
    for (var half : halves) assertThat(ours(half)).isGreaterThan(byFrequency(half));
  }

  private static List<Keyed> half(List<Keyed> texts, int which) {
    return IntStream.range(0, texts.size())
        .filter(i -> i % 2 == which)
        .mapToObj(texts::get)
        .toList();
  }

  private static List<Keyed> abstracts() {
    return Corpora.lines("language-text/keywords-Inspec.jsonl.gz").stream()
        .map(row -> {
          var keys = new HashSet<String>();
          for (var key : row.get("keys")) keys.add(stemmed(key.stringValue()));
          return new Keyed(row.get("text").stringValue(), "en", keys);
        })
        .toList();
  }

  private static List<Keyed> articles() {
    var articles = new ArrayList<Keyed>();
    var tar = Tar.read(Corpora.find("content-extraction/article-extraction-benchmark.tar"));
    var truth = JsonMapper.shared().readTree(tar.text("ground-truth.json"));
    truth.forEachEntry((name, page) ->
        add(
            articles,
            tar.text("html/" + name + ".html.gz"),
            page.get("articleBody").stringValue()));
    var more = Tar.read(Corpora.find("content-extraction/readability-test-pages.tar.gz"));
    for (var name : more.names()) {
      if (!name.endsWith("/source.html")) continue;
      var expected = more.text(name.replace("/source.html", "/expected.html"));
      add(articles, more.text(name), Jsoup.parse(expected).wholeText());
    }
    return articles;
  }

  // A keyword that the text does not have cannot be found in it.
  private static void add(List<Keyed> articles, String html, String body) {
    var page = Jsoup.parse(html);
    var text = page.title() + "\n" + body;
    var stems = " " + stemmed(text) + " ";
    var keys = new HashSet<String>();
    for (var meta : page.select("meta[name=keywords], meta[name=news_keywords]")) {
      for (var key : meta.attr("content").split("[,;]", -1)) keys.add(stemmed(key));
    }
    keys.removeIf(key -> key.isEmpty() || !stems.contains(" " + key + " "));
    if (keys.size() < FEWEST_KEYS) return;
    articles.add(new Keyed(text, LANGUAGES.detect(body, null), keys));
  }

  private static double ours(List<Keyed> texts) {
    return score(
        texts,
        one ->
            KeywordExtractor.of(one.text, one.language, MOST).stream()
                .map(Keyword::phrase)
                .toList());
  }

  private static double byFrequency(List<Keyed> texts) {
    var frequencies = new HashMap<String, Integer>();
    for (var one : texts) {
      for (var gram : new HashSet<>(grams(one.text))) frequencies.merge(gram, 1, Integer::sum);
    }
    return score(texts, one -> byFrequency(one.text, frequencies, texts.size()));
  }

  /// The mean of F1 over all texts, by stems.
  private static double score(List<Keyed> texts, Function<Keyed, List<String>> finder) {
    var sum = 0.0;
    for (var one : texts) {
      var found = new LinkedHashSet<String>();
      for (var phrase : finder.apply(one)) if (found.size() < MOST) found.add(stemmed(phrase));
      var right = found.stream().filter(one.keys::contains).count();
      sum += 2.0 * right / (found.size() + one.keys.size());
    }
    return sum / texts.size();
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
