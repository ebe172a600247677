package io.tidemill.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Adds rows to a table. Rows are certain to be stored only after [#close].
public interface RowWriter extends AutoCloseable {
  /// Adds one row.
  ///
  /// @param values in the order of the columns, each a `String`, `Integer`, `Long`, `Double`,
  ///   `Boolean`, `Instant` or null
  void add(@Nullable Object... values) throws SQLException;

  @Override
  void close() throws SQLException;

  /// A text that both databases can hold: without NUL and without unpaired surrogates.
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
