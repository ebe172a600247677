package io.tidemill.app.upgrade;

import java.util.HashMap;
import java.util.Map;

/// What stored data says of itself.
///
/// @param format the number of the last migration that it went through; 0 = written before stamps
/// @param writtenBy the version of the product that wrote it last, for people
public record Stamp(int format, String writtenBy) {
  static final String FORMAT = "format";
  static final String WRITTEN_BY = "written-by";

  /// Data that was written before there were stamps.
  static final Stamp NONE = new Stamp(0, "a version without stamps");

  /// Reads what [#text] writes; names that a later version adds are passed over.
  ///
  /// @throws IllegalArgumentException that says what is wrong with it
  static Stamp parse(String text) {
    var fields = new HashMap<String, String>();
    for (var line : text.lines().toList()) {
      var equals = line.indexOf('=');
      if (equals > 0) fields.put(line.substring(0, equals), line.substring(equals + 1));
    }
    return of(fields);
  }

  static Stamp of(Map<String, String> fields) {
    var format = fields.getOrDefault(FORMAT, "");
    if (!format.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException("its format is '%s'".formatted(format));
    }
    return new Stamp(Integer.parseInt(format), fields.getOrDefault(WRITTEN_BY, "unknown"));
  }

  String text() {
    return "%s=%d\n%s=%s\n".formatted(FORMAT, format, WRITTEN_BY, writtenBy);
  }
}
