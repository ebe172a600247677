package io.tidemill.content.sentiment;

/// The feeling that an English text expresses, by the rules of VADER (Hutto and Gilbert, 2014) and
/// its lexicon: words and smileys with ratings, boosted, negated, shouted.
///
/// A text of up to four sentences, or as short as a tweet, counts as one utterance. A longer one
/// counts as much as two sentences that are like the mean of its own, however many these are: a web
/// page is not called glad because it is long.
public final class SentimentAnalyzer {
  private static final SentimentLexicon KNOWN = SentimentLexicon.load();
  private static final double FLATTENING = 15;
  private static final int FEW_SENTENCES = 4;
  // Measured: posts and pages of the same feeling then get about the same number.
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

  /// The feeling from -1, bad, to 1, good; 0 where nothing expresses any.
  public static double of(String englishText) {
    var utterance = new SentimentScorer(KNOWN);
    var reader = new SentimentTokenizer(KNOWN, utterance);
    if (isBrief(englishText)) {
      reader.read(englishText, 0, englishText.length());
      return compound(utterance.sum());
    }
    return mean(englishText, reader, utterance);
  }

  private static double mean(String text, SentimentTokenizer reader, SentimentScorer utterance) {
    var sum = 0.0;
    var sentences = 0;
    for (int from = 0, to; from < text.length(); from = to) {
      to = sentenceEnd(text, from);
      reader.read(text, from, to);
      if (!utterance.isEmpty()) sentences++;
      sum += compound(utterance.sum());
      utterance.clear();
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
