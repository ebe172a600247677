package io.tidemill.content.sentiment;

/// The sentiment of an English text by the rules and the lexicon of VADER (Hutto and Gilbert,
/// 2014): rated words and emoticons, boosted, negated, in capitals.
///
/// A text of up to four sentences, or as short as a tweet, counts as one scorer. A longer one
/// counts as much as two sentences with the mean score of its own: a page is not more positive
/// because it is long.
public final class SentimentAnalyzer {
  private static final SentimentLexicon KNOWN = SentimentLexicon.load();
  private static final double FLATTENING = 15;
  private static final int FEW_SENTENCES = 4;
  // Measured: posts and pages of the same sentiment then get about the same score.
  private static final int AS_MANY = 2;
  private static final int TWEET = 140;
  private static final int LONGEST = 1_000;

  private SentimentAnalyzer() {}

  /// Whether there is a lexicon for a language: for English, and for no other.
  ///
  /// @param language as ISO 639-1
  public static boolean knows(String language) {
    return language.equals("en");
  }

  /// The sentiment from -1, negative, to 1, positive; 0 without any rated word.
  public static double of(String englishText) {
    var scorer = new SentimentScorer(KNOWN);
    var reader = new SentimentTokenizer(KNOWN, scorer);
    if (isBrief(englishText)) {
      reader.read(englishText, 0, englishText.length());
      return compound(scorer.sum());
    }
    return mean(englishText, reader, scorer);
  }

  private static double mean(String text, SentimentTokenizer reader, SentimentScorer scorer) {
    var sum = 0.0;
    var sentences = 0;
    for (int from = 0, to; from < text.length(); from = to) {
      to = sentenceEnd(text, from);
      reader.read(text, from, to);
      if (!scorer.isEmpty()) sentences++;
      sum += compound(scorer.sum());
      scorer.clear();
    }
    return compound(AS_MANY * Math.sqrt(FLATTENING) * sum / Math.max(1, sentences));
  }

  private static boolean isBrief(String text) {
    if (text.length() <= TWEET) return true;
    if (text.length() > LONGEST) return false;
    var from = 0;
    for (var i = 0; i < FEW_SENTENCES && from < text.length(); i++) from = sentenceEnd(text, from);
    return from == text.length();
  }

  private static int sentenceEnd(String text, int from) {
    var limit = Math.min(text.length(), from + LONGEST);
    for (var i = from; i < limit; i++) {
      var c = text.charAt(i);
      if (c == '\n') return i + 1;
      if ((c == '.' || c == '!' || c == '?') && (i + 1 == limit || text.charAt(i + 1) <= ' ')) {
        return i + 1;
      }
    }
    return limit;
  }

  private static double compound(double sum) {
    return sum / Math.sqrt(sum * sum + FLATTENING);
  }
}
