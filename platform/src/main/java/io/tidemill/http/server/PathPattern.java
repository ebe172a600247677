package io.tidemill.http.server;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The path of a route, which may have parameters.
record PathPattern(List<String> segments) {
  static final Comparator<PathPattern> MOST_EXACT_FIRST =
      Comparator.comparing(PathPattern::rank).thenComparing(p -> String.join("/", p.segments()));

  static PathPattern of(String path) {
    return new PathPattern(split(path));
  }

  static List<String> split(String path) {
    return Arrays.asList(path.substring(1).split("/", -1));
  }

  /// The decoded parameters, when these decoded segments match.
  Optional<Map<String, String>> match(List<String> path) {
    if (path.size() < segments.size()) return Optional.empty();
    if (path.size() > segments.size() && !takesRest(segments.getLast())) return Optional.empty();
    var params = new LinkedHashMap<String, String>();
    for (int i = 0; i < segments.size(); i++) {
      var segment = segments.get(i);
      if (takesRest(segment)) {
        params.put(name(segment), String.join("/", path.subList(i, path.size())));
      } else if (isParameter(segment)) {
        if (path.get(i).isEmpty()) return Optional.empty();
        params.put(name(segment), path.get(i));
      } else if (!segment.equals(path.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(params);
  }

  private String rank() {
    var rank = new StringBuilder();
    for (var segment : segments) {
      rank.append(takesRest(segment) ? '2' : isParameter(segment) ? '1' : '0');
    }
    return rank.toString();
  }

  private static boolean isParameter(String segment) {
    return segment.startsWith("{") && segment.endsWith("}");
  }

  private static boolean takesRest(String segment) {
    return isParameter(segment) && segment.endsWith("...}");
  }

  private static String name(String parameter) {
    return parameter.substring(1, parameter.length() - 1).replace("...", "");
  }
}
