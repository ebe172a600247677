package io.tidemill.http.server;

import io.tidemill.http.PercentDecoder;
import io.tidemill.http.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Finds the route of a request.
public final class Router {
  sealed interface Match {
    record Found(Route route, Map<String, String> params) implements Match {}

    record WrongMethod(String path, Set<String> allowed) implements Match {}

    record Unknown() implements Match {}

    record BadPath(String why) implements Match {}
  }

  private record Entry(PathPattern pattern, Route route) {}

  private final List<Entry> entries;

  public Router(List<Route> routes) {
    var seen = new HashSet<String>();
    for (var route : routes) {
      if (!seen.add(route.method() + " " + route.path())) {
        throw new IllegalArgumentException("two routes for " + route.method() + " " + route.path());
      }
    }
    this.entries =
        routes.stream()
            .map(route -> new Entry(PathPattern.of(route.path()), route))
            .sorted(Comparator.comparing(Entry::pattern, PathPattern.MOST_EXACT_FIRST))
            .toList();
  }

  /// HEAD finds the route of GET.
  Match match(String method, String rawPath) {
    List<String> path;
    try {
      path = decode(rawPath);
    } catch (IllegalArgumentException bad) {
      return new Match.BadPath("the path has " + bad.getMessage());
    }
    var wanted = method.equals("HEAD") ? "GET" : method;
    var allowed = new TreeSet<String>();
    var pattern = "";
    for (var entry : entries) {
      var params = entry.pattern().match(path);
      if (params.isEmpty()) continue;
      if (entry.route().method().equals(wanted)) {
        return new Match.Found(entry.route(), params.get());
      }
      if (pattern.isEmpty()) pattern = entry.route().path();
      allow(entry.route().method(), allowed);
    }
    return allowed.isEmpty() ? new Match.Unknown() : new Match.WrongMethod(pattern, allowed);
  }

  private static void allow(String method, Set<String> allowed) {
    allowed.add(method);
    allowed.add("OPTIONS");
    if (method.equals("GET")) allowed.add("HEAD");
  }

  private static List<String> decode(String rawPath) {
    if (!rawPath.startsWith("/")) throw new IllegalArgumentException("no / at its start");
    var decoded = new ArrayList<String>();
    for (var segment : PathPattern.split(rawPath)) {
      var text = PercentDecoder.decode(segment, false);
      if (text.equals(".") || text.equals("..")) throw new IllegalArgumentException("dot segments");
      decoded.add(text);
    }
    return decoded;
  }
}
