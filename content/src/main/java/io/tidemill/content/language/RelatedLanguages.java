package io.tidemill.content.language;

import io.tidemill.content.text.ResourceText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Languages so similar that n-grams hardly distinguish them, and words that do.
final class RelatedLanguages {
  private static final int WORDS_PER_SIGN = 15;
  private static final Map<String, List<Signs>> ALL = load();

  /// Words and endings of a relative that a language does not have.
  private record Signs(
      String relative, Set<String> words, List<String> endings, List<String> parts) {
    Signs(String relative) {
      this(relative, new HashSet<>(), new ArrayList<>(), new ArrayList<>());
    }

    void add(String sign) {
      if (!sign.startsWith("*")) words.add(sign);
      else if (sign.endsWith("*")) parts.add(sign.substring(1, sign.length() - 1));
      else endings.add(sign.substring(1));
    }

    int count(String[] text) {
      var count = 0;
      for (var word : text) if (fits(word)) count++;
      return count;
    }

    private boolean fits(String word) {
      if (words.contains(word)) return true;
      for (var ending : endings) if (word.endsWith(ending)) return true;
      for (var part : parts) if (word.contains(part)) return true;
      return false;
    }
  }

  private RelatedLanguages() {}

  /// The language, or the relative of which the text has more signs.
  ///
  /// @param text words in lower case with one space between them
  static String nearest(String language, String text) {
    var relatives = ALL.get(language);
    if (relatives == null) return language;
    var words = text.split(" ", -1);
    for (var signs : relatives) {
      var back = between(signs.relative, language);
      var lead = signs.count(words) - (back == null ? 0 : back.count(words));
      // A foreign name in a long text is not enough.
      if (lead > words.length / WORDS_PER_SIGN) return signs.relative;
    }
    return language;
  }

  private static @Nullable Signs between(String one, String other) {
    for (var signs : ALL.getOrDefault(one, List.of())) {
      if (signs.relative.equals(other)) return signs;
    }
    return null;
  }

  private static Map<String, List<Signs>> load() {
    var all = new HashMap<String, Map<String, Signs>>();
    ResourceText.lines(RelatedLanguages.class, "relatives.txt")
        .forEach(line -> {
          var fields = line.split(" ", -1);
          var signs =
              all.computeIfAbsent(fields[0], _ -> new HashMap<>())
                  .computeIfAbsent(fields[1], Signs::new);
          for (var i = 2; i < fields.length; i++) signs.add(fields[i]);
        });
    var lists = new HashMap<String, List<Signs>>();
    all.forEach((language, signs) -> lists.put(language, List.copyOf(signs.values())));
    return Map.copyOf(lists);
  }
}
