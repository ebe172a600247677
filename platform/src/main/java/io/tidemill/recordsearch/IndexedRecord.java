package io.tidemill.recordsearch;

/// Something that can be found. What is too long is cut.
///
/// @param kind what it is: `job`, `dead`, …
/// @param id unique among its kind
/// @param text what it can be found by beside its id and title, as plain text
/// @param at when it changed, in milliseconds since the epoch; the oldest are forgotten first
/// @param source where it lies, when its kind does not say so; else empty
/// @param until when it is forgotten, in milliseconds since the epoch; 0 = only when there are too
///   many
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
    if (kind.isEmpty() || id.isEmpty()) throw new IllegalArgumentException("a thing has no id");
    id = cut(id, LONGEST_ID);
    title = cut(title, LONGEST_TITLE);
    text = cut(text, LONGEST_TEXT);
    status = cut(status, LONGEST_NAME);
    source = cut(source, LONGEST_NAME);
  }

  /// The same at another point of its life.
  public IndexedRecord withStatus(String next) {
    return new IndexedRecord(kind, id, title, text, next, at, source, until);
  }

  /// The beginning of a text, never half a character.
  static String cut(String text, int longest) {
    if (text.length() <= longest) return text;
    var end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
    return text.substring(0, end);
  }
}
