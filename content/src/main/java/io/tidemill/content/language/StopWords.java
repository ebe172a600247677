package io.tidemill.content.language;

import io.tidemill.content.text.ResourceText;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/// Words that are in every text of a language and say nothing about it, of eleven languages.
public final class StopWords {
  private static final Set<String> WORDS = load();

  private StopWords() {}

  /// @param word in lower case
  public static boolean contains(String word) {
    return WORDS.contains(word);
  }

  private static Set<String> load() {
    // The first word of a line is the language.
    return ResourceText.of(StopWords.class, "stopwords.txt")
        .lines()
        .flatMap(line -> Arrays.stream(line.split(" ")).skip(1))
        .collect(Collectors.toUnmodifiableSet());
  }
}
