package io.tidemill.worker.ai;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Names of files that a model may give: relative, downwards only, and such that any system can
/// have them.
final class FileName {
  private static final int LONGEST = 200;
  // No control characters, no separators of other systems, nothing that a shell expands at a start.
  private static final Pattern SEGMENT =
      Pattern.compile("(?!\\.{1,2}$)[\\p{L}\\p{N}._@+(\\[{$][\\p{L}\\p{N} ._@+()\\[\\]{}$=,#-]*");

  private static final Map<String, String> ENDINGS =
      Map.ofEntries(
          Map.entry("bash", "sh"),
          Map.entry("c", "c"),
          Map.entry("c++", "cpp"),
          Map.entry("cpp", "cpp"),
          Map.entry("csharp", "cs"),
          Map.entry("css", "css"),
          Map.entry("go", "go"),
          Map.entry("html", "html"),
          Map.entry("java", "java"),
          Map.entry("javascript", "js"),
          Map.entry("json", "json"),
          Map.entry("kotlin", "kt"),
          Map.entry("lua", "lua"),
          Map.entry("markdown", "md"),
          Map.entry("php", "php"),
          Map.entry("python", "py"),
          Map.entry("ruby", "rb"),
          Map.entry("rust", "rs"),
          Map.entry("scala", "scala"),
          Map.entry("shell", "sh"),
          Map.entry("sql", "sql"),
          Map.entry("swift", "swift"),
          Map.entry("toml", "toml"),
          Map.entry("typescript", "ts"),
          Map.entry("xml", "xml"),
          Map.entry("yaml", "yaml"));

  private FileName() {}

  /// The name, if a file may have it.
  static Optional<String> safe(String name) {
    var plain = name.startsWith("./") ? name.substring(2) : name;
    if (plain.isEmpty() || plain.length() > LONGEST) return Optional.empty();
    for (var segment : plain.split("/", -1)) {
      if (!SEGMENT.matcher(segment).matches() || segment.endsWith(" ") || segment.endsWith(".")) {
        return Optional.empty();
      }
    }
    return Optional.of(plain);
  }

  /// A name for a file of this language that was given none.
  static String of(String language) {
    var plain = language.toLowerCase(Locale.ROOT);
    if (ENDINGS.containsKey(plain)) return "main." + ENDINGS.get(plain);
    return plain.matches("[a-z0-9]{1,5}") && !plain.equals("text") ? "main." + plain : "main.txt";
  }

  /// What a name's ending says about its language.
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
