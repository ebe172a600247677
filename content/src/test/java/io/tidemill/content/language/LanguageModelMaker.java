package io.tidemill.content.language;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.json.JsonMapper;

/// Makes `languages.bin` out of n-gram frequencies: a folder a language, a file for each length,
/// `{"ngrams": {"3/7": "abc abd"}}` = each of them follows its beginning 3 times of 7.
///
/// Ours was made of the models in `com.github.pemistahl:lingua:1.2.2` (Apache-2.0).
final class LanguageModelMaker {
  private static final List<String> FILES =
      List.of("unigrams.json", "bigrams.json", "trigrams.json", "quadrigrams.json");
  private static final int[] MOST = {8_000, 2_500, 3_000, 3_000};

  // Where the texts behind the frequencies were partly read in a wrong encoding, only letters of
  // the language count: `õ` would otherwise be as good Hungarian as `ő`.
  private static final Map<String, String> ALPHABETS =
      Map.ofEntries(
          Map.entry("hu", "áéíóöőúüű"),
          Map.entry("pl", "ąćęłńóśźż"),
          Map.entry("cs", "áčďéěíňóřšťúůýž"),
          Map.entry("sk", "áäčďéíĺľňóôŕšťúýž"),
          Map.entry("hr", "čćđšž"),
          Map.entry("bs", "čćđšž"),
          Map.entry("sl", "čćđšž"),
          Map.entry("ro", "ăâîșțşţ"),
          Map.entry("lt", "ąčęėįšųūž"),
          Map.entry("lv", "āčēģīķļņōŗšūž"),
          Map.entry("et", "äõöüšž"),
          Map.entry("tr", "çğıöşüâîû"));

  /// What an n-gram weighs in a language.
  record Entry(int language, int weight) {}

  private LanguageModelMaker() {}

  /// @param arguments the folder with the models, the file to write
  static void main(String[] arguments) throws IOException {
    var languages = languages(Path.of(arguments[0]));
    var grams = new TreeMap<Long, List<Entry>>(Long::compareUnsigned);
    for (var i = 0; i < languages.size(); i++) {
      add(grams, i, Path.of(arguments[0], languages.get(i)));
    }
    write(Path.of(arguments[1]), languages, grams);
  }

  private static List<String> languages(Path folder) throws IOException {
    try (var list = Files.list(folder)) {
      return list.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private static void add(Map<Long, List<Entry>> grams, int language, Path folder)
      throws IOException {
    Map<String, Double> shorter = Map.of("", 1.0);
    var alphabet = ALPHABETS.get(folder.getFileName().toString());
    for (var n = 0; n < FILES.size(); n++) {
      var file = folder.resolve(FILES.get(n));
      if (!Files.exists(file)) return;
      var joint = new HashMap<String, Double>();
      var given = new HashMap<String, Double>();
      read(file, shorter, joint, given);
      var floor = n == 0 ? NgramModel.RAREST_LETTER : NgramModel.RAREST;
      joint.entrySet().stream()
          .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
          .map(Map.Entry::getKey)
          .filter(gram -> alphabet == null || isOf(alphabet, gram))
          .limit(MOST[n])
          .forEach(gram -> {
            var weight =
                (int)
                    Math.round(
                        (Math.log(given.getOrDefault(gram, 0.0)) - floor) * NgramModel.STEPS);
            if (weight <= 0) return;
            grams
                .computeIfAbsent(NgramModel.key(gram), _ -> new ArrayList<>())
                .add(new Entry(language, Math.min(weight, 255)));
          });
      shorter = joint;
    }
  }

  private static boolean isOf(String alphabet, String gram) {
    return gram.chars().allMatch(c -> c < 128 || alphabet.indexOf(c) >= 0);
  }

  private static void read(
      Path file,
      Map<String, Double> shorter,
      Map<String, Double> joint,
      Map<String, Double> given) {
    var tree = JsonMapper.shared().readTree(file.toFile()).get("ngrams");
    tree.forEachEntry((fraction, list) -> {
      var slash = fraction.indexOf('/');
      var share =
          Double.parseDouble(fraction.substring(0, slash))
              / Double.parseDouble(fraction.substring(slash + 1));
      for (var gram : list.stringValue().split(" ", -1)) {
        var beginning = shorter.get(gram.substring(0, gram.length() - 1));
        if (beginning == null || gram.length() > 4) continue;
        joint.put(gram, beginning * share);
        given.put(gram, share);
      }
    });
  }

  static void write(Path file, List<String> languages, Map<Long, List<Entry>> grams)
      throws IOException {
    try (var zip =
            new GZIPOutputStream(Files.newOutputStream(file)) {
              {
                def.setLevel(Deflater.BEST_COMPRESSION);
              }
            };
        var out = new DataOutputStream(zip)) {
      out.writeByte(languages.size());
      for (var language : languages) out.writeUTF(language);
      out.writeInt(grams.size());
      out.writeInt(grams.values().stream().mapToInt(List::size).sum());
      var last = 0L;
      for (var key : grams.keySet()) {
        writeVarint(out, key - last);
        last = key;
      }
      for (var entries : grams.values()) out.writeByte(entries.size());
      for (var entries : grams.values()) for (var entry : entries) out.writeByte(entry.language);
      for (var entries : grams.values()) for (var entry : entries) out.writeByte(entry.weight);
    }
  }

  private static void writeVarint(DataOutputStream out, long value) throws IOException {
    var rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.writeByte((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }
}
