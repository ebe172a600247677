package io.tidemill.crawler.scope;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Patterns that a user gave; RE2 matches them in linear time, whatever they are (F49).
final class UrlPatterns {
  private static final int MOST = 50;
  private static final int LONGEST = 1_000;

  /// `((a{999}){999}){999}` is short and compiles to a billion steps.
  private static final int MOST_REPEATS = 1_000;

  private final List<Pattern> patterns;

  private UrlPatterns(List<Pattern> patterns) {
    this.patterns = patterns;
  }

  static UrlPatterns compile(String field, List<String> texts) {
    if (texts.size() > MOST) {
      throw new IllegalArgumentException(
          "%s has %d patterns: expected at most %d".formatted(field, texts.size(), MOST));
    }
    return new UrlPatterns(texts.stream().map(text -> pattern(field, text)).toList());
  }

  private static Pattern pattern(String field, String text) {
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "%s has a pattern of %d characters: expected at most %d"
              .formatted(field, text.length(), LONGEST));
    }
    if (repeats(text) > MOST_REPEATS) {
      throw new IllegalArgumentException(
          "%s has the pattern '%s': its repeats multiply to more than %d"
              .formatted(field, text, MOST_REPEATS));
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException wrong) {
      throw new IllegalArgumentException(
          "%s has the pattern '%s': %s".formatted(field, text, wrong.getDescription()), wrong);
    }
  }

  /// The product of all `{n}` and `{n,m}`, as if each were inside the other.
  private static long repeats(String text) {
    long product = 1;
    for (int at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
      long largest = 1;
      long number = 0;
      for (int i = at + 1; i < text.length() && "0123456789,".indexOf(text.charAt(i)) >= 0; i++) {
        number = text.charAt(i) == ',' ? 0 : Math.min(100_000, number * 10 + text.charAt(i) - '0');
        largest = Math.max(largest, number);
      }
      product = Math.min(Integer.MAX_VALUE, product * largest);
    }
    return product;
  }

  boolean isEmpty() {
    return patterns.isEmpty();
  }

  /// The first pattern that is found in a URL; null without one.
  @Nullable String found(String url) {
    for (var pattern : patterns) {
      if (pattern.matcher(url).find()) return pattern.pattern();
    }
    return null;
  }
}
