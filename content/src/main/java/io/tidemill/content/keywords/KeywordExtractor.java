package io.tidemill.content.keywords;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Words and phrases that say what a text is about, found in the text alone: no other texts are
/// needed to compare it with.
///
/// Candidates are the words between stop words and punctuation (as in RAKE), and parts of them that
/// are there more than once. They count by the number of their words, by how often they and their
/// words are there, and the more the earlier they come; single words more when they are names or
/// hashtags, and in a text that is full of names: news is about who and where, a paper about terms.
/// Only the first 20,000 characters are read.
///
/// The numbers were found with news, abstracts and papers in English, Portuguese and French. How
/// rare words are in other texts was tried and adds next to nothing to what the text itself says.
public final class KeywordExtractor {
  private static final int LONGEST_TEXT = 20_000;
  // How often two to four words between stop words are a keyword.
  private static final double[] BY_LENGTH = {0, 1, 1.1, 0.8};
  private static final double NAME = 2;
  private static final double WEAK = 0.5;
  private static final double WEAK_ALONE = 0.2;
  private static final double PART = 0.54;
  private static final double OFTEN = 0.33;
  private static final double EARLY = 4;
  private static final double ENOUGH = 128;
  private static final double DOUBT = 0.6;
  // Shares of names from which on a text has something of news, and is it. It is none when it has
  // no more words than a post, or as many as a paper.
  private static final double SOME_NAMES = 0.11;
  private static final double MANY_NAMES = 0.28;
  private static final double POST = 25;
  private static final double SHORT_NEWS = 50;
  private static final double LONG_NEWS = 500;
  private static final double PAPER = 1_000;

  /// What single words count.
  ///
  /// @param value beside two words
  /// @param often how much more when they are alone again and again, as a power
  /// @param most what they count at most
  private record Alone(double value, double often, double most) {
    static final Alone IN_PAPERS = new Alone(0.35, 0.3, 1);
    static final Alone IN_NEWS = new Alone(0.9, 0.5, 1.5);

    static Alone of(double news) {
      return new Alone(
          between(IN_PAPERS.value, IN_NEWS.value, news),
          between(IN_PAPERS.often, IN_NEWS.often, news),
          between(IN_PAPERS.most, IN_NEWS.most, news));
    }

    private static double between(double none, double all, double share) {
      return none + (all - none) * share;
    }
  }

  private final WordList list;
  private final WordTable table;
  private final int[] words;
  private final PhraseTable phrases;
  private final double doubt;
  private final Alone alone;

  private KeywordExtractor(String text, String language) {
    var reader =
        new PhraseReader(text, Math.min(text.length(), LONGEST_TEXT), new PhraseBreaks(language));
    list = reader.list();
    table = reader.table();
    words = list.toArray();
    phrases = new PhraseTable(words);
    // In a long text, what is there only once is hardly its subject.
    doubt = DOUBT * Math.max(0, Math.log(words.length / ENOUGH));
    alone = Alone.of(news());
  }

  // How much of news a text has, from 0 to 1.
  private double news() {
    return share(table.nameShare(), SOME_NAMES, MANY_NAMES)
        * share(words.length, POST, SHORT_NEWS)
        * share(words.length, PAPER, LONG_NEWS);
  }

  // How far a value is from where nothing counts to where all does.
  private static double share(double value, double none, double all) {
    return Math.clamp((value - none) / (all - none), 0, 1);
  }

  /// The best keywords of a text, the best first.
  ///
  /// @param language as ISO 639-1, or empty when it is not known
  /// @param most how many at most
  public static List<Keyword> of(String text, String language, int most) {
    return new KeywordExtractor(text, language).best(most);
  }

  private List<Keyword> best(int most) {
    var ranking = new long[phrases.size()];
    var candidates = 0;
    for (var phrase = 0; phrase < phrases.size(); phrase++) {
      var score = phrases.isPhrase(phrase) ? score(phrase) : 0;
      if (score > 0) ranking[candidates++] = rank(score, phrase);
    }
    Arrays.sort(ranking, 0, candidates);
    var best = new ArrayList<Keyword>();
    for (var i = candidates - 1; i >= Math.max(0, candidates - most); i--) {
      var phrase = ~(int) ranking[i];
      var relative = score(phrase) / score(~(int) ranking[candidates - 1]);
      best.add(new Keyword(list.phrase(phrases.first(phrase), phrases.length(phrase)), relative));
    }
    return best;
  }

  // Positive floats are in the order of their bits; of equals the earlier is the better.
  private static long rank(double score, int phrase) {
    return (long) Float.floatToIntBits((float) score) << 32 | (~phrase & 0xFFFF_FFFFL);
  }

  private double score(int phrase) {
    var length = phrases.length(phrase);
    var first = phrases.first(phrase);
    var count = phrases.count(phrase);
    var value = length == 1 ? alone(words[first], phrases.wholes(phrase)) : BY_LENGTH[length - 1];
    value *= Math.sqrt(weight(first, length)) * (1 + OFTEN * Math.log(count));
    value *= count / (count + doubt);
    if (phrases.wholes(phrase) == 0) value *= PART;
    if (table.mustEndInNoun() && table.isWeak(words[first + length - 1])) value *= WEAK_ALONE;
    return value / (1 + Math.log(2 + first) / EARLY);
  }

  private double alone(int word, int wholes) {
    if (table.isSingle(word)) return 0;
    var value = alone.value * Math.pow(Math.max(1, wholes), alone.often);
    if (table.isWeak(word)) value *= WEAK_ALONE;
    return Math.min(alone.most, table.isName(word) ? value * NAME : value);
  }

  private double weight(int first, int length) {
    var sum = 0.0;
    for (var i = first; i < first + length; i++) {
      var weight = 1 + Math.log(table.count(words[i]));
      sum += table.isWeak(words[i]) ? weight * WEAK : weight;
    }
    return sum / length;
  }
}
