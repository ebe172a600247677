package io.tidemill.processor.profile;

import io.tidemill.content.language.LanguageDetector;
import io.tidemill.json.Json;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Words, languages and keywords of the texts of all records: keywords are frequent in some texts
/// and rare in the others (tf-idf).
public final class TextProfile {
  private static final int VOCABULARY = 20_000;
  private static final int SAMPLE = 4_000;
  private static final int MOST_LANGUAGES = 50;
  private static final int OF_ONE = 5;

  /// @param score higher = says more about the text
  record Keyword(String word, double score) {}

  private final LanguageDetector languages;
  private final Map<String, Long> byLanguage = new HashMap<>();
  private final FrequentValues times = new FrequentValues(VOCABULARY);
  private final FrequentValues texts = new FrequentValues(VOCABULARY);
  private long count;
  private long words;
  private long characters;

  public TextProfile(LanguageDetector languages) {
    this.languages = languages;
  }

  public void add(String text) {
    count++;
    characters += text.length();
    byLanguage.merge(language(text), 1L, Long::sum);
    var seen = new HashSet<String>();
    words +=
        TextWords.read(
            text,
            word -> {
              times.add(word);
              if (seen.add(word)) texts.add(word);
            });
  }

  private String language(String text) {
    var found = languages.detect(text.substring(0, Math.min(text.length(), SAMPLE)), null);
    return found.isEmpty() ? "unknown" : found;
  }

  public void writeTo(ObjectNode result, int most) {
    if (count == 0) return;
    var out = result.putObject("text");
    out.put("records", count).put("words", words).put("characters", characters);
    out.put("wordsPerRecord", Math.round((double) words / count));
    var counts = out.putObject("languages");
    byLanguage.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(MOST_LANGUAGES)
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
    writeTo(best(times.counts(), most), out.putArray("keywords"));
  }

  private static void writeTo(List<Keyword> keywords, ArrayNode out) {
    for (var keyword : keywords) {
      out.addObject()
          .put("word", keyword.word())
          .put("score", Math.round(keyword.score() * 1_000) / 1_000.0);
    }
  }

  private List<Keyword> best(Map<String, Long> frequencies, int most) {
    return frequencies.entrySet().stream()
        .map(entry -> new Keyword(entry.getKey(), entry.getValue() * rarity(entry.getKey())))
        .sorted(Comparator.comparingDouble(Keyword::score).reversed().thenComparing(Keyword::word))
        .limit(most)
        .toList();
  }

  // Never 0: with few texts every word is in most of them.
  private double rarity(String word) {
    return Math.log(1 + count / (1.0 + texts.count(word)));
  }

  /// Adds the language and the keywords of one text to its record, as measured by all.
  public void annotate(ObjectNode record, String text) {
    record.put("language", language(text));
    var own = new HashMap<String, Long>();
    TextWords.read(text, word -> own.merge(word, 1L, Long::sum));
    var keywords = Json.object().putArray("keywords");
    best(own, OF_ONE).forEach(keyword -> keywords.add(keyword.word()));
    record.set("keywords", keywords);
  }
}
