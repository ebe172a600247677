package io.tidemill.processor.expression;

import com.dashjoin.jsonata.Functions;
import com.dashjoin.jsonata.Jsonata;
import com.dashjoin.jsonata.Jsonata.JFunction;
import com.dashjoin.jsonata.Jsonata.JFunctionCallable;
import com.dashjoin.jsonata.Utils;
import com.google.re2j.Matcher;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Bounded replacements of the JSONata functions whose time or memory is unbounded (F50).
///
/// All other functions are linear in the size of their values, which [ExpressionBounds] limits.
final class BoundedFunctions {
  private static final int LONGEST = 16 * 1024 * 1024;
  private static final int MOST_PIECES = 500_000;
  private static final int LONGEST_PICTURE = 100;
  private static final int MOST_PARTS = 8;
  private static final int LONGEST_TIME = 40;
  private static final int MOST_PLACES = 400;
  private static final double LARGEST_ROMAN = 100_000;

  private BoundedFunctions() {}

  static void replace(Jsonata jsonata) {
    add(
        jsonata,
        RegexLiterals.FUNCTION,
        "<ss:f>",
        (_, it) -> ExpressionRegex.of(text(it, 0), text(it, 1)));
    add(jsonata, "match", "<s-f<s:o>n?:a<o>>", (_, it) -> match(it));
    add(jsonata, "contains", "<s-(sf):b>", (_, it) -> contains(it));
    add(jsonata, "replace", "<s-(sf)(sf)n?:s>", (_, it) -> replace(it));
    add(jsonata, "split", "<s-(sf)n?:a<s>>", (_, it) -> split(it));
    add(jsonata, "join", "<a<s>s?:s>", (_, it) -> join(it));
    add(jsonata, "pad", "<s-ns?:s>", (_, it) -> pad(it));
    add(
        jsonata,
        "eval",
        "<sx?:x>",
        (_, _) -> {
          throw new IllegalArgumentException("$eval is not available");
        });
    add(jsonata, "round", "<n-n?:n>", (_, it) -> round(it));
    add(jsonata, "formatInteger", "<n-s:s>", (_, it) -> formatInteger(it));
    add(jsonata, "parseInteger", "<s-s:n>", (_, it) -> parseInteger(it));
    add(jsonata, "formatNumber", "<n-so?:s>", (_, it) -> formatNumber(it));
    add(jsonata, "toMillis", "<s-s?:n>", (_, it) -> toMillis(it));
    add(jsonata, "fromMillis", "<n-s?s?:s>", (_, it) -> fromMillis(it));
  }

  private static void add(
      Jsonata jsonata, String name, String signature, JFunctionCallable function) {
    jsonata.registerFunction(name, new JFunction(function, signature));
  }

  private static @Nullable Object at(List<?> arguments, int i) {
    return i < arguments.size() ? arguments.get(i) : null;
  }

  private static String text(List<?> arguments, int i) {
    return at(arguments, i) instanceof String text ? text : "";
  }

  private static int limit(List<?> arguments, int i, String function) {
    if (!(at(arguments, i) instanceof Number limit)) return Integer.MAX_VALUE;
    if (limit.doubleValue() < 0) {
      throw new IllegalArgumentException("the limit of $" + function + " is negative");
    }
    return limit.intValue();
  }

  private static @Nullable Object match(List<?> it) {
    if (!(at(it, 0) instanceof String text) || !(at(it, 1) instanceof ExpressionRegex regex))
      return null;
    var matches = Utils.createSequence();
    var matcher = regex.pattern().matcher(text);
    var limit = limit(it, 2, "match");
    while (matches.size() < limit && matcher.find()) {
      if (matches.size() >= MOST_PIECES) throw tooLarge("match");
      matches.add(ExpressionRegex.match(matcher));
    }
    return matches;
  }

  private static @Nullable Object contains(List<?> it) {
    if (!(at(it, 0) instanceof String text)) return null;
    return at(it, 1) instanceof ExpressionRegex regex
        ? regex.pattern().isIn(text)
        : text.contains(text(it, 1));
  }

  private static @Nullable Object replace(List<?> it) throws Throwable {
    if (!(at(it, 0) instanceof String text)) return null;
    var regex = at(it, 1) instanceof ExpressionRegex given ? given : null;
    if (regex == null && text(it, 1).isEmpty()) {
      throw new IllegalArgumentException("the second argument of $replace is empty");
    }
    var pattern = regex == null ? LinearPattern.literal(text(it, 1)) : regex.pattern();
    var matcher = pattern.matcher(text);
    var limit = limit(it, 3, "replace");
    var out = new StringBuilder();
    var done = 0;
    for (var i = 0; i < limit && matcher.find(); i++) {
      out.append(text, done, matcher.start());
      append(out, matcher, it.get(2), regex != null);
      if (out.length() > LONGEST) throw tooLarge("replace");
      done = matcher.end();
    }
    return out.append(text, done, text.length()).toString();
  }

  private static void append(
      StringBuilder out, Matcher matcher, @Nullable Object replacement, boolean hasGroups)
      throws Throwable {
    if (!(replacement instanceof String text)) {
      var made = Functions.funcApply(replacement, List.of(ExpressionRegex.match(matcher)));
      if (!(made instanceof String own)) {
        throw new IllegalArgumentException("the function in $replace must give a text");
      }
      out.append(own);
    } else if (hasGroups) {
      appendGroups(out, matcher, text);
    } else {
      out.append(text);
    }
  }

  // $1 is a group, $$ a dollar sign.
  private static void appendGroups(StringBuilder out, Matcher matcher, String text) {
    var i = 0;
    while (i < text.length()) {
      var c = text.charAt(i++);
      var next = i < text.length() ? text.charAt(i) : ' ';
      if (c != '$' || (next != '$' && (next < '0' || next > '9'))) {
        out.append(c);
        continue;
      }
      i++;
      if (next == '$') out.append('$');
      else if (next - '0' <= matcher.groupCount()) out.append(given(matcher.group(next - '0')));
    }
  }

  private static String given(@Nullable String group) {
    return group == null ? "" : group;
  }

  private static @Nullable Object split(List<?> it) {
    if (!(at(it, 0) instanceof String text)) return null;
    var limit = limit(it, 2, "split");
    var pieces = Utils.createSequence();
    if (!(at(it, 1) instanceof ExpressionRegex) && text(it, 1).isEmpty()) {
      for (var i = 0; i < text.length() && i < limit; i++) add(pieces, text.substring(i, i + 1));
      return pieces;
    }
    var pattern =
        at(it, 1) instanceof ExpressionRegex regex
            ? regex.pattern()
            : LinearPattern.literal(text(it, 1));
    var matcher = pattern.matcher(text);
    var end = 0;
    while (pieces.size() < limit && matcher.find()) {
      if (matcher.end() == 0) continue;
      add(pieces, text.substring(end, matcher.start()));
      end = matcher.end();
    }
    if (pieces.size() < limit) add(pieces, text.substring(end));
    return pieces;
  }

  private static void add(List<Object> pieces, String piece) {
    if (pieces.size() >= MOST_PIECES) throw tooLarge("split");
    pieces.add(piece);
  }

  private static @Nullable Object join(List<?> it) {
    if (!(at(it, 0) instanceof List<?> pieces)) return at(it, 0);
    var out = new StringBuilder();
    for (var i = 0; i < pieces.size(); i++) {
      if (i > 0) out.append(text(it, 1));
      out.append(pieces.get(i));
      if (out.length() > LONGEST) throw tooLarge("join");
    }
    return out.toString();
  }

  private static @Nullable Object pad(List<?> it) {
    if (!(at(it, 0) instanceof String text) || !(at(it, 1) instanceof Number width)) return null;
    if (Math.abs(width.doubleValue()) > LONGEST) throw tooLarge("pad");
    var fill = text(it, 2).isEmpty() ? " " : text(it, 2);
    var missing = Math.abs(width.intValue()) - text.codePointCount(0, text.length());
    if (missing <= 0) return text;
    var whole = fill.codePointCount(0, fill.length());
    var rest = fill.offsetByCodePoints(0, missing % whole);
    if ((long) missing / whole * fill.length() > LONGEST) throw tooLarge("pad");
    var padding = fill.repeat(missing / whole) + fill.substring(0, rest);
    return width.doubleValue() < 0 ? padding + text : text + padding;
  }

  private static @Nullable Object round(List<?> it) {
    if (!(at(it, 0) instanceof Number number)) return null;
    var places = at(it, 1) instanceof Number given ? given : Integer.valueOf(0);
    if (Math.abs(places.doubleValue()) > MOST_PLACES) {
      throw new IllegalArgumentException("$round has more than " + MOST_PLACES + " places");
    }
    return Utils.convertNumber(Functions.round(number, places));
  }

  private static @Nullable Object formatInteger(List<?> it) {
    if (!(at(it, 0) instanceof Number number)) return null;
    var picture = picture(it, 1);
    if (Math.abs(number.doubleValue()) > LARGEST_ROMAN
        && picture.toLowerCase(Locale.ROOT).contains("i")) {
      throw new IllegalArgumentException("the number is too large for this picture");
    }
    return Functions.formatInteger(number, picture);
  }

  private static @Nullable Object parseInteger(List<?> it) throws Exception {
    if (!(at(it, 0) instanceof String text)) return null;
    if (text.length() > LONGEST_PICTURE) throw new IllegalArgumentException("it is too long");
    return Functions.parseInteger(text, picture(it, 1));
  }

  private static @Nullable Object formatNumber(List<?> it) {
    if (!(at(it, 0) instanceof Number number)) return null;
    var options = at(it, 2) instanceof Map<?, ?> map ? map : null;
    return Functions.formatNumber(number, picture(it, 1), options);
  }

  private static @Nullable Object toMillis(List<?> it) throws Exception {
    if (!(at(it, 0) instanceof String text)) return null;
    if (text.length() > LONGEST_TIME)
      throw new IllegalArgumentException("it is too long for a time");
    return Functions.dateTimeToMillis(text, at(it, 1) == null ? null : picture(it, 1));
  }

  private static @Nullable Object fromMillis(List<?> it) {
    if (!(at(it, 0) instanceof Number millis)) return null;
    return Functions.dateTimeFromMillis(
        millis,
        at(it, 1) == null ? null : picture(it, 1),
        at(it, 2) instanceof String zone ? zone : null);
  }

  // A picture may ask for any width, and is read with the JDK's patterns.
  private static String picture(List<?> arguments, int i) {
    var picture = text(arguments, i);
    var parts = picture.chars().filter(c -> c == '[').count();
    if (picture.length() > LONGEST_PICTURE || parts > MOST_PARTS) {
      throw new IllegalArgumentException("the picture is too long");
    }
    var number = 0;
    for (var at = 0; at < picture.length(); at++) {
      var c = picture.charAt(at);
      number = c >= '0' && c <= '9' ? number * 10 + c - '0' : 0;
      if (number > 9999) throw new IllegalArgumentException("the picture asks for too much");
    }
    return picture;
  }

  private static IllegalArgumentException tooLarge(String function) {
    return new IllegalArgumentException("$" + function + " makes a value that is too large");
  }
}
