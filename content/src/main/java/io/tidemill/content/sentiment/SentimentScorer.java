package io.tidemill.content.sentiment;

import io.tidemill.content.sentiment.SentimentLexicon.Role;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The ids of the words of a tweet or a sentence, and its score by the rules of VADER (Hutto and
/// Gilbert, 2014).
final class SentimentScorer {
  private static final double CAPITALS = 0.733;
  private static final double NEGATED = -0.74;
  private static final double EMPHASISED = 1.25;
  // How much of a booster is left over one, two and three words.
  private static final double[] REACH = {1, 0.95, 0.9};
  private static final double BEFORE_BUT = 0.5;
  private static final double BEHIND_BUT = 1.5;
  private static final double EXCLAMATION = 0.292;
  private static final int MOST_EXCLAMATIONS = 4;
  private static final double QUESTION = 0.18;
  private static final double MANY_QUESTIONS = 0.96;

  private final SentimentLexicon known;
  private int[] words = new int[64];
  private boolean[] capitals = new boolean[64];
  private int length;
  private int inCapitals;
  private int inSmall;
  private int exclamations;
  private int questions;

  SentimentScorer(SentimentLexicon known) {
    this.known = known;
  }

  void clear() {
    length = 0;
    inCapitals = 0;
    inSmall = 0;
    exclamations = 0;
    questions = 0;
  }

  /// @param isCapital whether it is written in capitals only
  void add(int word, boolean isCapital) {
    if (length == words.length) {
      words = Arrays.copyOf(words, length * 2);
      capitals = Arrays.copyOf(capitals, length * 2);
    }
    words[length] = word;
    capitals[length++] = isCapital;
    if (isCapital) inCapitals++;
    else if (word != known.end()) inSmall++;
  }

  void add(char sign) {
    if (sign == '!') exclamations++;
    else if (sign == '?') questions++;
  }

  /// Ends the reach of negations and boosters.
  void endSentence() {
    if (length > 0 && words[length - 1] != known.end()) add(known.end(), false);
  }

  boolean isEmpty() {
    return length == 0;
  }

  /// Below 0 when negative, above when positive, without bounds.
  double sum() {
    joinIdioms();
    var sum = 0.0;
    var weight = 1.0;
    for (var i = 0; i < length; i++) {
      var role = known.role(words[i]);
      if (role == Role.BUT && weight == 1) {
        sum *= BEFORE_BUT;
        weight = BEHIND_BUT;
      } else if (role == Role.RATED) {
        sum += weight * valence(i);
      } else if (role == Role.NO && !isRated(i + 1)) {
        sum += weight * known.value(words[i]);
      }
    }
    return sum + Math.signum(sum) * punctuation();
  }

  private void joinIdioms() {
    var to = 0;
    for (var from = 0; from < length; to++) {
      var idiom = idiomAt(from);
      words[to] = idiom == null ? words[from] : idiom[idiom.length - 1];
      capitals[to] = capitals[from];
      from += idiom == null ? 1 : idiom.length - 1;
    }
    length = to;
  }

  private int @Nullable [] idiomAt(int at) {
    for (var idiom : known.idioms(words[at])) {
      var size = idiom.length - 1;
      if (at + size <= length && Arrays.equals(words, at, at + size, idiom, 0, size)) return idiom;
    }
    return null;
  }

  private double valence(int at) {
    double value = known.value(words[at]);
    if (isShouted(at)) value += Math.signum(value) * CAPITALS;
    for (var distance = 1; distance <= REACH.length && distance <= at; distance++) {
      if (words[at - distance] == known.end()) break;
      value = changed(value, at - distance, distance);
    }
    return value;
  }

  private double changed(double value, int by, int distance) {
    return switch (known.role(words[by])) {
      case BOOSTER -> value + REACH[distance - 1] * boost(value, by);
      case NEGATION -> value * NEGATED;
      case NO -> distance < 3 ? value * NEGATED : value;
      case LEAST -> distance == 1 ? value * NEGATED : value;
      case EMPHASIS -> value * EMPHASISED;
      case PLAIN, RATED, BUT -> value;
    };
  }

  private double boost(double value, int by) {
    double boost = known.value(words[by]);
    if (isShouted(by)) boost += CAPITALS;
    return Math.signum(value) * boost;
  }

  private boolean isShouted(int at) {
    return capitals[at] && inCapitals > 0 && inSmall > 0;
  }

  private boolean isRated(int at) {
    return at < length && known.role(words[at]) == Role.RATED;
  }

  private double punctuation() {
    var shouts = EXCLAMATION * Math.min(exclamations, MOST_EXCLAMATIONS);
    if (questions < 2) return shouts;
    return shouts + (questions <= 3 ? QUESTION * questions : MANY_QUESTIONS);
  }
}
