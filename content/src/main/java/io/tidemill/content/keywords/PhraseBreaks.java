package io.tidemill.content.keywords;

import io.tidemill.content.language.SpacelessScripts;
import io.tidemill.content.text.ResourceText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Words of one language at which a phrase ends, and such that say little when they stand alone.
final class PhraseBreaks {
  private static final Map<String, Set<String>> LISTS = load();
  private static final int SHORT = 3;

  private final String language;
  private final Set<String> breaks;
  private final Set<String> weak;

  PhraseBreaks(String language) {
    this.language = language;
    this.breaks = LISTS.getOrDefault(language, Set.of());
    this.weak = LISTS.getOrDefault(language + "-weak", Set.of());
  }

  private static Map<String, Set<String>> load() {
    var lists = new HashMap<String, Set<String>>();
    read("/io/tidemill/content/language/stopwords.txt", lists);
    read("phrasebreaks.txt", lists);
    return Map.copyOf(lists);
  }

  private static void read(String name, Map<String, Set<String>> lists) {
    ResourceText.lines(PhraseBreaks.class, name)
        .forEach(line -> {
          var words = List.of(line.split(" ", -1));
          lists
              .computeIfAbsent(words.getFirst(), _ -> new HashSet<>())
              .addAll(words.subList(1, words.size()));
        });
  }

  /// @param word in lower case
  boolean contains(String word) {
    if (breaks.contains(word)) return true;
    // Without a list: function words are short, where letters make words.
    return breaks.isEmpty() && word.length() <= SHORT && word.charAt(0) < SpacelessScripts.FIRST;
  }

  boolean isWeak(String word) {
    return weak.contains(word);
  }

  /// German writes nouns, and hardly anything else, with a capital.
  boolean hasCapitalNouns() {
    return language.equals("de");
  }

  boolean isJapanese() {
    return language.equals("ja");
  }

  boolean hasPluralS() {
    return switch (language) {
      case "en", "fr", "es", "pt" -> true;
      default -> false;
    };
  }

  /// Whether articles stand before an apostrophe: `l'eau`.
  boolean hasElision() {
    return switch (language) {
      case "fr", "it", "ca" -> true;
      default -> false;
    };
  }

  /// Whether verbs stand behind an apostrophe: `we'll`.
  boolean hasContraction() {
    return language.equals("en");
  }
}
