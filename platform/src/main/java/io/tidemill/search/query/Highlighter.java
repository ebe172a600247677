package io.tidemill.search.query;

import io.tidemill.lucene.ExactWordFilter;
import io.tidemill.lucene.LanguageAnalyzers;
import io.tidemill.search.PageDocument;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.index.WordTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/// Highlights matches in HTML: the text is escaped, matches are in `<em>` (F54).
///
/// It analyses only words that begin like a searched one.
final class Highlighter {
  private static final int LENGTH = 240;
  private static final int MOST_READ = 100_000;
  private static final int MOST_MATCHES = 300;
  private static final int ASCII = 0x80;
  private static final boolean[] ASCII_WORD_PARTS = asciiWordParts();

  private final Set<String> terms;
  private final Set<String> prefixes;
  private final Set<Integer> beginnings = new HashSet<>();
  private final boolean[] firsts = new boolean[ASCII];
  private final Map<String, Map<String, String>> known = new HashMap<>();

  /// @param terms stems, and exact words with [ExactWordFilter#MARK]
  Highlighter(Set<String> terms, Set<String> prefixes) {
    this.terms = terms;
    this.prefixes = prefixes;
    for (var term : terms) begin(plain(term));
    for (var prefix : prefixes) begin(prefix);
  }

  private void begin(String word) {
    beginnings.add(beginning(word, 0));
    if (word.isEmpty() || word.charAt(0) >= ASCII) return;
    firsts[word.charAt(0)] = true;
    firsts[Character.toUpperCase(word.charAt(0))] = true;
  }

  private record Match(int start, int end, String term) {}

  private record Window(int start, int end) {}

  /// The whole of a short text.
  String whole(String text, String rules) {
    return mark(text, 0, text.length(), matches(text, rules));
  }

  /// The part of a page with the best matches, or else its beginning.
  ///
  /// @param rest the text beside the main text, read only when nothing else matches
  /// @param passage the nearest passage, shown when no word matches; may be empty
  String snippet(PageDocument page, String rules, Rest rest, String passage) throws IOException {
    var inMain = matches(page.main(), rules);
    if (!inMain.isEmpty()) return part(page.main(), inMain);
    var inDescription = matches(page.description(), rules);
    if (!inDescription.isEmpty()) return part(page.description(), inDescription);
    var otherwise = passage.isEmpty() ? beginning(page) : part(passage, List.of());
    if (hasNothingToShow() || !matches(page.title(), rules).isEmpty()) return otherwise;
    var beside = rest.text();
    var inRest = matches(beside, rules);
    return inRest.isEmpty() ? otherwise : part(beside, inRest);
  }

  private boolean hasNothingToShow() {
    return terms.isEmpty() && prefixes.isEmpty();
  }

  private static String beginning(PageDocument page) {
    return part(page.main().isBlank() ? page.description() : page.main(), List.of());
  }

  interface Rest {
    String text() throws IOException;
  }

  private static String part(String text, List<Match> matches) {
    var window = window(text, matches);
    var before = window.start() > 0 ? "… " : "";
    var after = window.end() < text.length() ? " …" : "";
    return before + mark(text, window.start(), window.end(), matches).strip() + after;
  }

  /// The window with the most different words.
  private static Window window(String text, List<Match> matches) {
    var best = 0;
    var bestScore = -1;
    for (var i = 0; i < matches.size(); i++) {
      var score = score(matches, i);
      if (score > bestScore) {
        bestScore = score;
        best = i;
      }
    }
    var from = matches.isEmpty() ? 0 : Math.max(0, matches.get(best).start() - LENGTH / 4);
    var start = from == 0 ? 0 : wordStart(text, from);
    return new Window(start, wordEnd(text, Math.min(text.length(), start + LENGTH)));
  }

  private static int score(List<Match> matches, int first) {
    var distinct = new HashSet<String>();
    var end = matches.get(first).start() + LENGTH * 3 / 4;
    var count = 0;
    for (var i = first; i < matches.size() && matches.get(i).end() <= end; i++, count++) {
      distinct.add(matches.get(i).term());
    }
    return distinct.size() * 100 + count;
  }

  private static int wordStart(String text, int from) {
    for (var i = from; i < Math.min(text.length(), from + 30); i++) {
      if (Character.isWhitespace(text.charAt(i))) return i + 1;
    }
    return codePointStart(text, from);
  }

  private static int wordEnd(String text, int to) {
    if (to == text.length()) return to;
    for (var i = to; i > Math.max(0, to - 30); i--) {
      if (Character.isWhitespace(text.charAt(i))) return i;
    }
    return codePointStart(text, to);
  }

  /// Never between the halves of a surrogate pair.
  private static int codePointStart(String text, int at) {
    var inside = at > 0 && at < text.length() && Character.isLowSurrogate(text.charAt(at));
    return inside && Character.isHighSurrogate(text.charAt(at - 1)) ? at - 1 : at;
  }

  private static String mark(String text, int start, int end, List<Match> matches) {
    var html = new StringBuilder();
    var at = start;
    for (var match : matches) {
      if (match.start() < at || match.end() > end) continue;
      escape(text, at, match.start(), html);
      html.append("<em>");
      escape(text, match.start(), match.end(), html);
      html.append("</em>");
      at = match.end();
    }
    escape(text, at, end, html);
    return html.toString();
  }

  private static void escape(String text, int start, int end, StringBuilder html) {
    for (var i = start; i < end; i++) {
      var c = text.charAt(i);
      switch (c) {
        case '<' -> html.append("&lt;");
        case '>' -> html.append("&gt;");
        case '&' -> html.append("&amp;");
        case '"' -> html.append("&quot;");
        case '\'' -> html.append("&#39;");
        case '\n', '\r', '\t' -> html.append(' ');
        default -> html.append(Character.isISOControl(c) ? ' ' : c);
      }
    }
  }

  private List<Match> matches(String text, String rules) {
    if (hasNothingToShow()) return List.of();
    var start = text.substring(0, Math.min(text.length(), MOST_READ));
    // Languages without spaces need the analyzer.
    var apart = !rules.equals("th") && !rules.equals("ja") && !LanguageAnalyzers.isCjk(text);
    return apart ? scan(start, rules) : analyse(start, LanguageAnalyzers.analyzer(rules));
  }

  private List<Match> scan(String text, String rules) {
    var matches = new ArrayList<Match>();
    var length = text.length();
    var at = 0;
    while (at < length && matches.size() < MOST_MATCHES) {
      var c = text.charAt(at);
      if (!isWordPart(c)) {
        at++;
        continue;
      }
      var end = at + 1;
      while (end < length && isWordPart(text.charAt(end))) end++;
      if ((c >= ASCII || firsts[c]) && beginnings.contains(beginning(text, at))) {
        var term = term(text.substring(at, end), rules);
        if (!term.isEmpty()) matches.add(new Match(at, end, term));
      }
      at = end;
    }
    return matches;
  }

  private static boolean isWordPart(char c) {
    return c < ASCII ? ASCII_WORD_PARTS[c] : isOtherWordPart(c);
  }

  private static boolean isOtherWordPart(char c) {
    return Character.isLetterOrDigit(c)
        || c == '\''
        || c == '\u2019'
        || Character.isSurrogate(c)
        || Character.getType(c) == Character.NON_SPACING_MARK;
  }

  private static boolean[] asciiWordParts() {
    var parts = new boolean[ASCII];
    for (char c = 0; c < ASCII; c++) parts[c] = isOtherWordPart(c);
    return parts;
  }

  /// The first two characters, by which most words are skipped.
  private static int beginning(String text, int at) {
    if (at >= text.length()) return 0;
    var first = fold(text.charAt(at));
    var second = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    return first << 16 | (Character.isLetterOrDigit(second) ? fold(second) : 0);
  }

  private static int fold(char c) {
    if (c < 0x80) return Character.toLowerCase(c);
    var folded = WordTokens.fold(String.valueOf(c));
    return folded.isEmpty() ? c : folded.charAt(0);
  }

  /// The searched term of a word; empty when it is none.
  private String term(String word, String rules) {
    return known
        .computeIfAbsent(rules, _ -> new HashMap<>())
        .computeIfAbsent(word, _ -> lookUp(word, rules));
  }

  private String lookUp(String word, String rules) {
    for (var position : WordTokens.positions(LanguageAnalyzers.analyzer(rules), word)) {
      var term = find(position.stem(), position.exact());
      if (!term.isEmpty()) return term;
    }
    return "";
  }

  private String find(String stem, String exact) {
    if (terms.contains(stem)) return stem;
    if (terms.contains(exact)) return exact;
    var plain = plain(exact);
    return prefixes.stream().filter(plain::startsWith).findFirst().orElse("");
  }

  private static String plain(String term) {
    return term.length() > 1 && term.charAt(0) == ExactWordFilter.MARK ? term.substring(1) : term;
  }

  private List<Match> analyse(String text, Analyzer analyzer) {
    var matches = new ArrayList<Match>();
    try (var stream = analyzer.tokenStream(PageFields.TEXT, text)) {
      var term = stream.addAttribute(CharTermAttribute.class);
      var offset = stream.addAttribute(OffsetAttribute.class);
      stream.reset();
      while (stream.incrementToken() && matches.size() < MOST_MATCHES) {
        var token = term.toString();
        if (find(token, token).isEmpty()) continue;
        join(matches, new Match(offset.startOffset(), offset.endOffset(), token));
      }
      stream.end();
    } catch (IOException unexpected) {
      throw new UncheckedIOException(unexpected);
    }
    return matches;
  }

  private static void join(List<Match> matches, Match next) {
    var last = matches.isEmpty() ? null : matches.getLast();
    if (last == null || last.end() <= next.start()) {
      matches.add(next);
    } else {
      matches.set(matches.size() - 1, new Match(last.start(), next.end(), last.term()));
    }
  }
}
