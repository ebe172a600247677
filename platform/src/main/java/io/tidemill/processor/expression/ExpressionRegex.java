package io.tidemill.processor.expression;

import com.dashjoin.jsonata.Jsonata.JFunction;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A pattern in an expression: a function from a text to its first match.
final class ExpressionRegex extends JFunction {
  private final LinearPattern pattern;

  ExpressionRegex(LinearPattern pattern) {
    super((_, arguments) -> first(pattern, arguments), "<s-:o>");
    this.pattern = pattern;
  }

  static ExpressionRegex of(String regex, String flags) {
    var bits = 0;
    if (flags.contains("i")) bits |= Pattern.CASE_INSENSITIVE;
    if (flags.contains("m")) bits |= Pattern.MULTILINE;
    return new ExpressionRegex(LinearPattern.of(regex, bits));
  }

  LinearPattern pattern() {
    return pattern;
  }

  private static @Nullable Object first(LinearPattern pattern, List<?> arguments) {
    if (arguments.isEmpty() || !(arguments.getFirst() instanceof String text)) return null;
    var matcher = pattern.matcher(text);
    return matcher.find() ? match(matcher) : null;
  }

  static Map<String, Object> match(Matcher matcher) {
    var match = new LinkedHashMap<String, Object>();
    match.put("match", matcher.group());
    match.put("index", matcher.start());
    match.put("groups", groups(matcher));
    return match;
  }

  private static List<Object> groups(Matcher matcher) {
    var groups = new ArrayList<Object>();
    for (var i = 1; i <= matcher.groupCount(); i++) {
      var group = matcher.group(i);
      groups.add(group == null ? "" : group);
    }
    return groups;
  }
}
