package io.tidemill.collector;

import io.tidemill.analytics.CollectedItem;
import io.tidemill.content.fingerprint.SimHash;
import io.tidemill.content.keywords.KeywordExtractor;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.sentiment.SentimentAnalyzer;
import org.jspecify.annotations.Nullable;

/// Finds out about a post what its text and its reactions tell (C5.6).
final class PostAnalyzer {
  /// What of a text is kept; all of it was read for the findings, within the limit below.
  static final int LONGEST_KEPT = 10_000;

  private static final int LONGEST_URL = 4_000;
  private static final int LONGEST_LINE = 500;
  private static final int LONGEST_READ = 20_000;
  private static final int KEYWORDS = 10;
  // Below this many letters nearly everything is nearly the same.
  private static final int SHORTEST_COMPARED = 20;

  private final LanguageDetector languages;

  PostAnalyzer(LanguageDetector languages) {
    this.languages = languages;
  }

  /// @param project and platform hold for posts that don't say themselves
  /// @param id for a post that has none
  CollectedItem item(Post post, String project, String platform, String id, int position) {
    var said = said(post);
    var language = languages.detect(said, post.language());
    return new CollectedItem(
        project,
        post.platform().isEmpty() ? platform : post.platform(),
        id,
        position,
        cut(post.url(), LONGEST_URL),
        cut(post.title(), LONGEST_LINE),
        cut(post.text().isBlank() ? post.spoken() : post.text(), LONGEST_KEPT),
        new CollectedItem.Author(
            cut(post.author().id(), LONGEST_LINE),
            cut(post.author().name(), LONGEST_LINE),
            post.author().followers(),
            post.author().verified()),
        post.reactions(),
        new CollectedItem.Findings(
            language,
            sentiment(said, language),
            KeywordExtractor.of(tagged(said, post), language, KEYWORDS).stream()
                .map(keyword ->
                    new CollectedItem.Keyword(oneLine(keyword.phrase()), keyword.score()))
                .toList(),
            ImpactScore.of(post.reactions(), post.author()),
            said.strip().length() < SHORTEST_COMPARED ? 0 : SimHash.of(said)),
        post.publishedAt());
  }

  private static @Nullable Double sentiment(String said, String language) {
    return SentimentAnalyzer.knows(language) ? SentimentAnalyzer.of(said) : null;
  }

  private static String said(Post post) {
    var said = new StringBuilder();
    for (var part : new String[] {post.title(), post.text(), post.spoken()}) {
      if (part.isBlank()) continue;
      if (!said.isEmpty()) said.append('\n');
      said.append(part, 0, Math.min(part.length(), LONGEST_READ));
    }
    return cut(said.toString(), LONGEST_READ);
  }

  // Tags that stand beside the text and not in it.
  private static String tagged(String said, Post post) {
    var tagged = new StringBuilder(said);
    for (var tag : post.tags()) {
      var word = tag.startsWith("#") ? tag : "#" + tag;
      if (!said.contains(word) && tagged.length() < LONGEST_READ) tagged.append('\n').append(word);
    }
    return tagged.toString();
  }

  private static String oneLine(String phrase) {
    return phrase.replace('\n', ' ');
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) return text;
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }
}
