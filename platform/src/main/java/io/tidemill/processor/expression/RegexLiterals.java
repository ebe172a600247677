package io.tidemill.processor.expression;

import io.tidemill.json.Json;

/// Finds `/patterns/` in an expression and puts calls in their place, so that RE2 runs them and not
/// the JDK, whose time for a pattern has no bound (F50).
final class RegexLiterals {
  /// The function that replaces a pattern literal.
  static final String FUNCTION = "__regex";

  private static final String OPERATORS = ".[{(,@#;:?+-*/%|=<>^~!&";

  private final String text;
  private final StringBuilder out = new StringBuilder();
  private int at;
  private char last = '(';

  private RegexLiterals(String text) {
    this.text = text;
  }

  /// @throws IllegalArgumentException when a pattern does not end or can't be used
  static String replaced(String text) {
    if (text.indexOf('/') < 0) return text;
    var literals = new RegexLiterals(text);
    while (literals.at < text.length()) literals.step();
    return literals.out.toString();
  }

  private void step() {
    var c = text.charAt(at);
    if (c == '"' || c == '\'' || c == '`') quoted(c);
    else if (text.startsWith("/*", at)) comment();
    else if (c == '/' && isPrefix()) regex();
    else plain(c);
  }

  private void plain(char c) {
    out.append(c);
    at++;
    if (!Character.isWhitespace(c)) last = c;
  }

  private void quoted(char quote) {
    // The parser takes a quote right behind a name as part of the name: certainly a mistake.
    if (at > 0 && isName(text.charAt(at - 1)) && !isAfterComment()) {
      throw new IllegalArgumentException("a quote stands within a name");
    }
    var start = at++;
    while (at < text.length() && text.charAt(at) != quote) {
      if (text.charAt(at) == '\\' && quote != '`') at++;
      at++;
    }
    at = Math.min(at + 1, text.length());
    out.append(text, start, at);
    last = quote;
  }

  private static boolean isName(char c) {
    return " \t\r\n)]}".indexOf(c) < 0 && OPERATORS.indexOf(c) < 0;
  }

  private boolean isAfterComment() {
    return text.startsWith("*/", at - 2) && out.length() > 0 && out.charAt(out.length() - 1) == ' ';
  }

  private void comment() {
    var end = text.indexOf("*/", at + 2);
    if (end < 0) throw new IllegalArgumentException("a comment does not end");
    out.append(' ');
    at = end + 2;
  }

  // Behind a value a slash divides; everywhere else, and behind a word that joins, a pattern
  // begins.
  private boolean isPrefix() {
    if (OPERATORS.indexOf(last) >= 0) return true;
    var end = out.toString().stripTrailing();
    // After `a[]` the parser expects a value, as after an opening bracket.
    if (last == ']' && end.substring(0, end.length() - 1).stripTrailing().endsWith("["))
      return true;
    for (var word : new String[] {"and", "or", "in"}) {
      if (end.endsWith(word) && isWordStart(end, end.length() - word.length())) return true;
    }
    return false;
  }

  // Of letters a name is made; anything else may end what is before, such as a number.
  private static boolean isWordStart(String before, int start) {
    if (start == 0) return true;
    var c = before.charAt(start - 1);
    return !Character.isLetter(c) && c != '_' && c != '$';
  }

  private void regex() {
    var start = ++at;
    var depth = 0;
    while (at < text.length() && (text.charAt(at) != '/' || depth > 0)) {
      var c = text.charAt(at);
      if (c == '\\') at++;
      else if (c == '[' || c == '(' || c == '{') depth++;
      else if (c == ']' || c == ')' || c == '}') depth--;
      at++;
    }
    if (at >= text.length()) throw new IllegalArgumentException("a pattern does not end");
    var pattern = text.substring(start, at++);
    var flags = flags();
    if (pattern.isEmpty()) throw new IllegalArgumentException("a pattern is empty");
    var _ = LinearPattern.of(pattern);
    out.append('$').append(FUNCTION).append('(').append(Json.text(pattern));
    out.append(",\"").append(flags).append("\")");
    last = ')';
  }

  private String flags() {
    var start = at;
    while (at < text.length() && (text.charAt(at) == 'i' || text.charAt(at) == 'm')) at++;
    return text.substring(start, at);
  }
}
