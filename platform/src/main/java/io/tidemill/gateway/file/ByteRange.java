package io.tidemill.gateway.file;

import java.util.Optional;
import java.util.regex.Pattern;

/// A part of a file.
///
/// @param from the first byte
/// @param to after the last byte
record ByteRange(long from, long to) {
  // Longer numbers name no byte of any object.
  private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /// The part that a header `Range` asks for (RFC 9110); empty when it is to be ignored: another
  /// unit, several parts, or not well-formed.
  ///
  /// The part has no bytes when the file ends before it.
  static Optional<ByteRange> of(String header, long size) {
    var asked = ONE.matcher(header.strip());
    if (!asked.matches()) return Optional.empty();
    var first = asked.group(1);
    var last = asked.group(2);
    if (first.isEmpty() && last.isEmpty()) return Optional.empty();
    if (first.isEmpty()) {
      return Optional.of(new ByteRange(Math.max(0, size - Long.parseLong(last)), size));
    }
    var from = Long.parseLong(first);
    var to = last.isEmpty() ? size : Math.min(size, Long.parseLong(last) + 1);
    // Ends before it begins.
    if (!last.isEmpty() && Long.parseLong(last) < from) return Optional.empty();
    return Optional.of(new ByteRange(from, to));
  }

  boolean isEmpty() {
    return from >= to;
  }

  long length() {
    return to - from;
  }

  /// The value of `Content-Range`.
  String contentRange(long size) {
    return "bytes %d-%d/%d".formatted(from, to - 1, size);
  }
}
