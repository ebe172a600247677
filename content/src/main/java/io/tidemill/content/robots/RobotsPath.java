package io.tidemill.content.robots;

import java.util.List;
import java.util.stream.Stream;

/// The path and query of a URL in the spellings that rules are compared with, mostly one.
///
/// @param canonical in the spelling of RFC 9309, 2.2.2, and with a plain query
/// @param written also with escapes that nothing needs, as the URL has them
record RobotsPath(List<String> canonical, List<String> written) {

  static RobotsPath of(String pathAndQuery) {
    var canonical = PathEscapes.canonical(pathAndQuery);
    if (pathAndQuery.indexOf('%') < 0)
      return new RobotsPath(List.of(canonical), List.of(canonical));
    var plain = PathEscapes.plainQuery(canonical);
    return new RobotsPath(
        Stream.of(canonical, plain).distinct().toList(),
        Stream.of(canonical, plain, PathEscapes.written(pathAndQuery)).distinct().toList());
  }
}
