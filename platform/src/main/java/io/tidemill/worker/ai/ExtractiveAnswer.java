package io.tidemill.worker.ai;

import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingPriority;
import io.tidemill.embedding.Vectors;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Answers a question with the nearest sentences of the passages; nothing is generated.
///
/// Where passages have the rare words of the question, the answer is from these.
final class ExtractiveAnswer {
  private static final int SENTENCES = 3;
  private static final int MAX_SENTENCES = 80;
  private static final int MIN_LENGTH = 12;
  private static final int MAX_LENGTH = 600;
  private static final Pattern END = Pattern.compile("[.!?…。！？][\\p{Pe}\\p{Pf}\"']*$");
  private static final Pattern MARK = Pattern.compile("\\s?\\[\\d{1,3}\\]");

  /// A further sentence must be nearly as good as the best.
  private static final double WORSE = 0.2;

  /// The bonus of a sentence with all words of the question.
  private static final double WORDS = 0.3;

  /// A row of a table counts if it has this share of the question's words, and a number.
  private static final double ROW = 0.5;

  private static final Pattern FIGURE = Pattern.compile("\\p{Nd}");

  private final Embedder embedder;

  ExtractiveAnswer(Embedder embedder) {
    this.embedder = embedder;
  }

  /// @param citation the number of its passage, from 1
  private record Sentence(String text, int citation, int place, double fit) {}

  /// Sentences in the order of their passages, each with the number of its passage behind it.
  List<String> answer(String question, List<Citation> citations) throws InterruptedException {
    var best =
        sentences(question, citations).stream()
            .sorted(Comparator.comparingDouble(Sentence::fit).reversed())
            .limit(SENTENCES)
            .toList();
    if (best.isEmpty()) {
      return List.of(beginning(withoutMarks(citations.getFirst().passage())) + " [1]");
    }
    var least = best.getFirst().fit() - WORSE;
    return best.stream()
        .filter(sentence -> sentence.fit() >= least)
        .sorted(Comparator.comparingInt(Sentence::citation).thenComparingInt(Sentence::place))
        .map(sentence -> sentence.text() + " [" + sentence.citation() + "]")
        .toList();
  }

  private List<Sentence> sentences(String question, List<Citation> citations)
      throws InterruptedException {
    var words = new QuestionWords(question);
    var texts = new ArrayList<String>();
    var numbers = new ArrayList<Integer>();
    var seen = new HashSet<String>();
    var anyExact = citations.stream().anyMatch(Citation::exact);
    for (int i = 0; i < citations.size(); i++) {
      if (anyExact && !citations.get(i).exact()) continue;
      for (var text : split(citations.get(i).passage(), words)) {
        // Passages overlap, and pages repeat each other.
        if (texts.size() < MAX_SENTENCES && seen.add(text)) {
          texts.add(text);
          numbers.add(i + 1);
        }
      }
    }
    var asked = embedder.question(question);
    var vectors = embedder.embed(texts, EmbeddingPriority.ANSWER);
    var sentences = new ArrayList<Sentence>();
    for (int i = 0; i < texts.size(); i++) {
      var similarity = Vectors.similarity(asked, vectors.get(i).vector());
      // Words of the title count for every sentence of the page.
      var title = citations.get(numbers.get(i) - 1).title();
      var fit = similarity + WORDS * words.shareIn(title + "\n" + texts.get(i));
      sentences.add(new Sentence(texts.get(i), numbers.get(i), i, fit));
    }
    return sentences;
  }

  static List<String> split(String passage, QuestionWords words) {
    var sentences = new ArrayList<String>();
    for (var line : passage.lines().toList()) {
      if (isRow(line, words)) {
        sentences.add(withoutMarks(line).strip());
        continue;
      }
      var breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
      breaks.setText(line);
      var from = breaks.first();
      for (int to = breaks.next(); to != BreakIterator.DONE; from = to, to = breaks.next()) {
        var sentence = withoutMarks(line.substring(from, to)).strip();
        if (isSentence(sentence)) sentences.add(sentence);
      }
    }
    return sentences;
  }

  private static boolean isRow(String line, QuestionWords words) {
    return line.length() <= MAX_LENGTH
        && FIGURE.matcher(line).find()
        && !END.matcher(line.strip()).find()
        && words.shareIn(line) >= ROW;
  }

  // Headings and links repeat the words of a question and answer nothing.
  private static boolean isSentence(String text) {
    return text.length() >= MIN_LENGTH && text.length() <= MAX_LENGTH && END.matcher(text).find();
  }

  /// Without numbers in brackets: in an answer these cite passages, not the page's footnotes.
  static String withoutMarks(String text) {
    return MARK.matcher(text).replaceAll("");
  }

  private static String beginning(String passage) {
    return passage.substring(0, Math.min(passage.length(), MAX_LENGTH)).strip();
  }
}
