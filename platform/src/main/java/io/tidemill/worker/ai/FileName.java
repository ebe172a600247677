package io.tidemill.worker.ai;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Names of files in a model's answer: relative, without `..`, and valid on any system.
final class FileName {
  private static final int MAX_LENGTH = 200;
  // No control characters, no separators of other systems, nothing that a shell expands at a start.
  private static final Pattern SEGMENT =
      Pattern.compile("(?!\\.{1,2}$)[\\p{L}\\p{N}._@+(\\[{$][\\p{L}\\p{N} ._@+()\\[\\]{}$=,#-]*");

  private static final Map<String, String> ENDINGS =
      Stream.of(
              """
              bash=sh c=c c++=cpp cpp=cpp csharp=cs css=css go=go html=html java=java
              javascript=js json=json kotlin=kt lua=lua markdown=md php=php python=py ruby=rb
              rust=rs scala=scala shell=sh sql=sql swift=swift toml=toml typescript=ts xml=xml
              yaml=yaml\
              """
                  .split("\\s+"))
          .map(pair -> pair.split("="))
          .collect(Collectors.toUnmodifiableMap(pair -> pair[0], pair -> pair[1]));

  private FileName() {}

  /// The name, if it is safe.
  static Optional<String> safe(String name) {
    var plain = name.startsWith("./") ? name.substring(2) : name;
    if (plain.isEmpty() || plain.length() > MAX_LENGTH) return Optional.empty();
    for (var segment : plain.split("/", -1)) {
      if (!SEGMENT.matcher(segment).matches() || segment.endsWith(" ") || segment.endsWith(".")) {
        return Optional.empty();
      }
    }
    return Optional.of(plain);
  }

  /// The default name for a file of this language.
  static String of(String language) {
    var plain = language.toLowerCase(Locale.ROOT);
    if (ENDINGS.containsKey(plain)) return "main." + ENDINGS.get(plain);
    return plain.matches("[a-z0-9]{1,5}") && !plain.equals("text") ? "main." + plain : "main.txt";
  }

  /// The language of a name's ending.
  static Optional<String> language(String name) {
    var ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return ENDINGS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(ending))
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst();
  }

  /// The same name with a number before its ending.
  static String numbered(String name, int number) {
    var dot = name.lastIndexOf('.');
    return dot > name.lastIndexOf('/') + 1
        ? name.substring(0, dot) + "-" + number + name.substring(dot)
        : name + "-" + number;
  }
}
