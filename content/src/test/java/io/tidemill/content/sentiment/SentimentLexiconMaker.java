package io.tidemill.content.sentiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.TreeMap;

/// Makes the lexicon of `SentimentAnalyzer` from the one of VADER: words in lower case and their
/// mean rating, behind the licence.
///
/// Plain numbers are left out: `187` is slang for murder, and mostly just a number.
final class SentimentLexiconMaker {
  private SentimentLexiconMaker() {}

  /// @param arguments VADER's lexicon, its licence, the file to write
  static void main(String[] arguments) throws IOException {
    var words = new TreeMap<String, String>();
    for (var line : Files.readAllLines(Path.of(arguments[0]), UTF_8)) {
      var fields = line.split("\t", -1);
      var word = fields[0].toLowerCase(Locale.ROOT);
      if (word.chars().allMatch(Character::isDigit)) continue;
      // What is there in lower case too is rated there.
      if (word.equals(fields[0])) words.put(word, fields[1]);
      else words.putIfAbsent(word, fields[1]);
    }
    var lines = new ArrayList<String>();
    lines.add("# The lexicon of VADER, https://github.com/cjhutto/vaderSentiment, without its raw");
    lines.add("# ratings, made by SentimentLexiconMaker (in the tests). Its licence:");
    lines.add("#");
    for (var line : Files.readAllLines(Path.of(arguments[1]), UTF_8)) {
      lines.add(("# " + line).strip());
    }
    lines.add("#");
    words.forEach((word, rating) -> lines.add(word + "\t" + rating));
    Files.write(Path.of(arguments[2]), lines, UTF_8);
  }
}
