package io.tidemill.crawler.robots;

/// One `Allow` or `Disallow` line.
///
/// @param length of the path as it was written, which is its rank among the rules that match
record Rule(boolean forbids, int length, PathPattern pattern) {

  static Rule of(boolean allows, String path) {
    var written = Spelling.upperEscapes(Spelling.asciiOnly(path));
    var compared = allows ? written : Spelling.plain(written);
    return new Rule(!allows, written.length(), PathPattern.of(compared));
  }

  boolean matches(String written, String plain) {
    return pattern.matches(forbids ? plain : written);
  }
}
