package io.tidemill.content.robots;

/// One `Allow` or `Disallow` line.
///
/// @param length of the path as it was written, which is its rank among the rules that match
record RobotsRule(boolean forbids, int length, RobotsPattern pattern) {

  static RobotsRule of(boolean allows, String path) {
    var written = PathEscapes.upperEscapes(PathEscapes.asciiOnly(path));
    var compared = allows ? written : PathEscapes.plain(written);
    return new RobotsRule(!allows, written.length(), RobotsPattern.of(compared));
  }

  boolean matches(String written, String plain) {
    return pattern.matches(forbids ? plain : written);
  }
}
