package io.tidemill.search.query;

import io.tidemill.search.RankFusion;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.passage.NearPassage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;

/// Explains the score of a hit in sentences.
final class ScoreExplanation {
  private static final Pattern WEIGHT =
      Pattern.compile("weight\\((.*) in \\d+\\).*", Pattern.DOTALL);
  private static final Pattern TERM =
      Pattern.compile("(\\w+):(\"[^\"]*\"(?:~\\d+)?|\\([^)]*\\)|[^\\s()]+)");

  private final WordQueries words;
  private final List<String> sentences = new ArrayList<>();

  private ScoreExplanation(WordQueries words) {
    this.words = words;
  }

  static List<String> of(Explanation explanation, WordQueries words) {
    var reasons = new ScoreExplanation(words);
    reasons.read(explanation);
    return List.copyOf(reasons.sentences);
  }

  /// The ranks of a page in the two fused lists.
  static List<String> of(RankFusion.Ranked places, @Nullable NearPassage near) {
    var sentences = new ArrayList<String>();
    if (places.byWords() > 0) sentences.add("number " + places.byWords() + " by its words");
    if (places.byMeaning() > 0 && near != null) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "number %d by its meaning (similarity %.2f)",
              places.byMeaning(),
              near.similarity()));
    }
    if (places.waiting()) sentences.add("its meaning is not known yet: its words count twice");
    return sentences;
  }

  private void read(Explanation node) {
    if (!node.isMatch() || node.getValue().floatValue() == 0) return;
    var weight = WEIGHT.matcher(node.getDescription());
    if (weight.matches()) {
      add(weight.group(1), node.getValue().floatValue());
    } else if (node.getDescription().startsWith("ConstantScore(")) {
      add(node.getDescription(), node.getValue().floatValue());
    } else {
      for (var detail : node.getDetails()) read(detail);
    }
  }

  private void add(String query, float weight) {
    var term = TERM.matcher(query);
    if (!term.find()) return;
    sentences.add(
        "matches \"%s\" %s (weight %s)"
            .formatted(
                shown(term.group(2)),
                place(term.group(1)),
                String.format(Locale.ROOT, "%.2f", weight)));
  }

  private String shown(String term) {
    var plain = term.replaceAll("^\"|\"(~\\d+)?$|^\\(|\\)$", "");
    var shown = new ArrayList<String>();
    for (var word : plain.split("\\s+", -1)) shown.add(words.wordOf(word));
    return String.join(" ", shown);
  }

  private static String place(String field) {
    return switch (field) {
      case PageFields.TITLE -> "in the title";
      case PageFields.TEXT -> "in the text";
      case PageFields.REST -> "beside the text";
      case PageFields.URL_WORDS -> "in the address";
      default -> "in the " + field;
    };
  }
}
