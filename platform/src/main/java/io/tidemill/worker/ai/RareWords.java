package io.tidemill.worker.ai;

import io.tidemill.embedding.Embedder;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchQuery.Mode;
import io.tidemill.search.SearchResult.Hit;
import io.tidemill.search.query.PageSearch;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The rare words of a question, such as `XQ-7731` or an unusual name: few pages have them, and the
/// model does not know them, so that the vectors of these pages may be far from the question.
///
/// A passage that has them is relevant, whatever its vector says.
final class RareWords {
  /// The most words that are looked up.
  private static final int LOOKED_UP = 8;

  /// The most pages that a rare word is on; of a small index a tenth of it, but two.
  private static final int RARE = 50;

  private static final int RARE_SHARE = 10;
  private static final int RARE_AT_LEAST = 2;

  private static final int PAGES = 10;

  /// The characters of a passage around a rare word, before and behind.
  private static final int BEFORE = 400;

  private static final int BEHIND = 600;

  /// Words of at least this length match other endings.
  private static final int STEM = 4;

  private static final int ENDING = 3;

  private static final String BETWEEN = "[^\\p{L}\\p{N}]{1,3}";
  private static final Pattern DIGIT = Pattern.compile("\\p{N}");
  private static final Pattern JOINT = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");
  private static final Pattern SENTENCE_END = Pattern.compile("[.!?…]\\s+|\n\\s*|[。！？]");

  private final Set<String> unknown;
  private final Set<String> rare;
  private final List<Hit> pages;

  /// @param unknown to the model
  /// @param rare those of them that a few pages have
  private RareWords(Set<String> unknown, Set<String> rare, List<Hit> pages) {
    this.unknown = unknown;
    this.rare = rare;
    this.pages = pages;
  }

  /// Finds the rare words and the pages that have them.
  static RareWords of(String question, SearchQuery query, PageSearch search, Embedder model)
      throws InterruptedException {
    var unknown = new LinkedHashSet<String>();
    for (var word : new QuestionWords(question).distinct()) {
      if (unknown.size() < LOOKED_UP && !knows(model, word)) unknown.add(word);
    }
    var rare = new LinkedHashSet<String>();
    var pages = new LinkedHashMap<String, Hit>();
    if (!unknown.isEmpty()) {
      var documents = search.stats().documents();
      var most = Math.clamp(documents / RARE_SHARE, RARE_AT_LEAST, RARE);
      for (var word : unknown) {
        var found = search.search(only(word, query));
        if (found.total() > most || found.hits().isEmpty()) continue;
        rare.add(word);
        found.hits().forEach(hit -> pages.putIfAbsent(hit.identity(), hit));
      }
    }
    return new RareWords(unknown, rare, pages.values().stream().limit(PAGES).toList());
  }

  private static SearchQuery only(String word, SearchQuery query) {
    return SearchQuery.of("+" + word)
        .in(query.site(), query.language(), query.type())
        .by(Mode.KEYWORD)
        .page(1, PAGES);
  }

  /// A compound of known words is known, but not a code with digits.
  private static boolean knows(Embedder model, String word) throws InterruptedException {
    if (model.knows(word)) return true;
    var parts = JOINT.split(word, -1);
    if (parts.length == 1 || DIGIT.matcher(word).find()) return false;
    for (var part : parts) if (!model.knows(part)) return false;
    return true;
  }

  /// Pages that have a rare word.
  List<Hit> pages() {
    return pages;
  }

  boolean isOn(Hit page) {
    return pages.stream().anyMatch(hit -> hit.identity().equals(page.identity()));
  }

  /// Whether a text has a rare word, and at least half of the words that the model does not know.
  boolean areIn(String text) {
    if (rare.isEmpty()) return false;
    var found = unknown.stream().filter(word -> isIn(word, text)).toList();
    return found.size() * 2 >= unknown.size() && found.stream().anyMatch(rare::contains);
  }

  private static boolean isIn(String word, String text) {
    return pattern(word).matcher(text).find();
  }

  /// A code as it is, however its parts are joined; other words with any ending.
  private static Pattern pattern(String word) {
    var isCode = DIGIT.matcher(word).find();
    var stem = isCode ? word : word.substring(0, Math.min(word.length(), stem(word)));
    var parts = Arrays.stream(JOINT.split(stem, -1)).map(Pattern::quote).toList();
    var ending = isCode || word.length() < STEM ? "" : "\\p{L}{0," + 2 * ENDING + "}";
    return Pattern.compile(
        "(?<!\\p{L}|\\p{N})" + String.join(BETWEEN, parts) + ending + "(?!\\p{L}|\\p{N})",
        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }

  private static int stem(String word) {
    return Math.max(STEM, word.length() - ENDING);
  }

  /// The sentences around the first rare word of a text; empty when it has none.
  String around(String text) {
    for (var word : rare) {
      var found = pattern(word).matcher(text);
      if (found.find()) return around(text, found.start(), found.end());
    }
    return "";
  }

  private static String around(String text, int start, int end) {
    var from = Math.max(0, start - BEFORE);
    var to = Math.min(text.length(), end + BEHIND);
    var first = from;
    var last = to;
    var ends = SENTENCE_END.matcher(text).region(from, to);
    while (ends.find()) {
      if (first == from && from > 0 && ends.end() <= start) first = ends.end();
      if (to < text.length() && ends.start() >= end) last = ends.end();
    }
    return text.substring(first, last).strip();
  }
}
