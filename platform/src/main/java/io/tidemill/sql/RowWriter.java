package io.tidemill.sql;

import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Adds rows to a table, value by value in the order of its columns; nothing is sure to be there
/// before it is closed.
public interface RowWriter extends AutoCloseable {
  RowWriter text(@Nullable String value) throws SQLException;

  RowWriter number(int value) throws SQLException;

  RowWriter number(long value) throws SQLException;

  RowWriter decimal(@Nullable Double value) throws SQLException;

  RowWriter flag(boolean value) throws SQLException;

  RowWriter time(@Nullable Instant value) throws SQLException;

  void end() throws SQLException;

  @Override
  void close() throws SQLException;

  /// A text that every database can hold: neither zeros nor halves of surrogate pairs.
  static String storable(String text) {
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) return replaced(text, i);
    }
    return text;
  }

  private static String replaced(String text, int from) {
    var clean = new StringBuilder(text.length()).append(text, 0, from);
    for (var i = from; i < text.length(); ) {
      var c = text.codePointAt(i);
      var isWhole = c != 0 && !(c >= 0xD800 && c <= 0xDFFF);
      clean.appendCodePoint(isWhole ? c : 0xFFFD);
      i += Character.charCount(c);
    }
    return clean.toString();
  }
}
