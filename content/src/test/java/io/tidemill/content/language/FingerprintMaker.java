package io.tidemill.content.language;

import io.tidemill.content.language.LanguageModelMaker.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Makes `fingerprints.bin` out of the fingerprints of libexttextcat (BSD): a file a language, an
/// n-gram a line, the most frequent first, `_` for the space around a word.
///
/// Ours was made of those in version 3.4.5.
final class FingerprintMaker {
  private static final int LONGEST = 4;
  // A frequency is about one by its rank; what is not in the list has that of the rank below.
  private static final double NOT_LISTED = 500;
  private static final double STEPS = 40;
  // Serbian in Latin letters is Croatian or Bosnian to us; the others are told by their script.
  private static final Set<String> LEFT_OUT =
      Set.of(
          "sr-Latn", "zh-Hans", "zh-Hant", "ja", "ko", "el", "grc", "he", "yi", "hy", "ka", "bn",
          "pa", "gu", "ta", "te", "kn", "ml", "si", "th", "lo", "bo", "my", "km", "am", "ti", "dv");

  private FingerprintMaker() {}

  /// @param arguments the folder with the `*.lm`, the file to write
  static void main(String[] arguments) throws IOException {
    var files = files(Path.of(arguments[0]));
    var grams = new TreeMap<Long, List<Entry>>(Long::compareUnsigned);
    var names = files.stream().map(FingerprintMaker::name).toList();
    for (var i = 0; i < files.size(); i++) {
      var lines = Files.readAllLines(files.get(i));
      for (var rank = 1; rank <= lines.size(); rank++) {
        var gram = lines.get(rank - 1).split("\\s", -1)[0].replace('_', ' ');
        if (gram.length() > LONGEST || gram.chars().noneMatch(Character::isLetter)) continue;
        var weight = (int) Math.round(Math.log(NOT_LISTED / rank) * STEPS);
        grams
            .computeIfAbsent(NgramModel.key(gram), _ -> new ArrayList<>())
            .add(new Entry(i, weight));
      }
    }
    LanguageModelMaker.write(Path.of(arguments[1]), names, grams);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var list = Files.list(folder)) {
      return list.filter(path -> path.toString().endsWith(".lm"))
          .filter(path -> !LEFT_OUT.contains(name(path)))
          .sorted()
          .toList();
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace("sr-Cyrl", "sr").replace(".lm", "");
  }
}
