package io.tidemill.recordsearch;

/// A record in the index. Long texts are cut.
///
/// @param kind `job`, `dead`, …
/// @param id unique within its kind
/// @param text searched beside id and title, as plain text
/// @param at last change, epoch milliseconds; the oldest records are removed first
/// @param source the channel that holds it, when its kind does not tell; else empty
/// @param until expiry, epoch milliseconds; 0 = only when the index is full
public record IndexedRecord(
    String kind,
    String id,
    String title,
    String text,
    String status,
    long at,
    String source,
    long until) {
  /// The longest text, in characters.
  public static final int LONGEST_TEXT = 32 * 1024;

  private static final int LONGEST_ID = 1_000;
  private static final int LONGEST_TITLE = 300;
  private static final int LONGEST_NAME = 100;

  public IndexedRecord {
    if (kind.isEmpty() || id.isEmpty()) throw new IllegalArgumentException("a record has no id");
    id = cut(id, LONGEST_ID);
    title = cut(title, LONGEST_TITLE);
    text = cut(text, LONGEST_TEXT);
    status = cut(status, LONGEST_NAME);
    source = cut(source, LONGEST_NAME);
  }

  public IndexedRecord withStatus(String next) {
    return new IndexedRecord(kind, id, title, text, next, at, source, until);
  }

  /// The beginning of a text, cut between characters.
  static String cut(String text, int longest) {
    if (text.length() <= longest) return text;
    var end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
    return text.substring(0, end);
  }
}
