package io.tidemill.content.robots;

/// One `Allow` or `Disallow` line.
///
/// @param length of the path in its canonical spelling, which is its rank among the rules that
///   match
record RobotsRule(boolean forbids, int length, RobotsPattern pattern) {

  static RobotsRule of(boolean allows, String path) {
    var ascii = PathEscapes.asciiOnly(path);
    var canonical = RobotsPattern.spell(ascii, PathEscapes::canonical);
    var compared = allows ? RobotsPattern.spell(ascii, PathEscapes::written) : canonical;
    return new RobotsRule(
        !allows, canonical.length(), RobotsPattern.of(PathEscapes.plainQuery(compared)));
  }

  /// A rule that allows may also have the very escapes of the URL.
  boolean matches(RobotsPath path) {
    for (var spelling : forbids ? path.canonical() : path.written()) {
      if (pattern.matches(spelling)) return true;
    }
    return false;
  }
}
