package io.tidemill.dashboard.recordsearch;

import io.tidemill.recordsearch.IndexedRecord;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// JSON as plain text: names and values without quotes and escapes. Other and truncated texts stay
/// as they are.
final class PlainText {
  private static final int LONGEST = IndexedRecord.LONGEST_TEXT;

  private final String json;
  private final StringBuilder text = new StringBuilder();
  private boolean quoted;
  private int at;

  private PlainText(String json) {
    this.json = json;
  }

  /// Named parts, one per line, without empty ones.
  static String join(String... namesAndValues) {
    var all = new StringJoiner("\n");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      var value = of(namesAndValues[i + 1]).strip();
      if (!value.isEmpty()) all.add(namesAndValues[i] + ": " + value);
    }
    return all.toString();
  }

  static String of(byte @Nullable [] bytes) {
    if (bytes == null) return "";
    // A character has up to four bytes.
    return of(new String(bytes, 0, Math.min(bytes.length, 4 * LONGEST), StandardCharsets.UTF_8));
  }

  static String of(@Nullable String value) {
    if (value == null) return "";
    var json = value.length() > 2 * LONGEST ? value.substring(0, 2 * LONGEST) : value;
    var first = json.stripLeading();
    var isJson = !first.isEmpty() && "{[\"".indexOf(first.charAt(0)) >= 0;
    return isJson ? new PlainText(json).read() : json.equals("null") ? "" : json;
  }

  private String read() {
    while (at < json.length() && text.length() < LONGEST) {
      var c = json.charAt(at++);
      if (c == '"') quoted = !quoted;
      else if (!quoted) sign(c);
      else if (c == '\\') escape();
      else text.append(c);
    }
    return text.toString();
  }

  private void sign(char c) {
    switch (c) {
      case '{', '}', '[', ']' -> {}
      case ',', '\n', '\r', '\t' -> text.append(' ');
      case ':' -> text.append(": ");
      default -> text.append(c);
    }
  }

  private void escape() {
    if (at == json.length()) return;
    var c = json.charAt(at++);
    switch (c) {
      case 'n', 'r', 't', 'b', 'f' -> text.append(' ');
      case 'u' -> code();
      default -> text.append(c);
    }
  }

  private void code() {
    if (at + 4 > json.length()) return;
    try {
      text.append((char) Integer.parseInt(json.substring(at, at + 4), 16));
      at += 4;
    } catch (NumberFormatException noCode) {
      text.append('u');
    }
  }
}
