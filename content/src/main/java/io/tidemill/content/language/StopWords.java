package io.tidemill.content.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Words that are in every text of a language and say nothing about it, of eleven languages.
public final class StopWords {
  private static final Set<String> WORDS = load();

  private StopWords() {}

  /// @param word in lower case
  public static boolean contains(String word) {
    return WORDS.contains(word);
  }

  private static Set<String> load() {
    try (var resource = StopWords.class.getResourceAsStream("stopwords.txt")) {
      if (resource == null) throw new IllegalStateException("stopwords.txt is missing");
      var words = new HashSet<String>();
      var lines = new BufferedReader(new InputStreamReader(resource, UTF_8));
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        // The first word is the language.
        words.addAll(List.of(line.split(" ")).subList(1, line.split(" ").length));
      }
      return Set.copyOf(words);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
