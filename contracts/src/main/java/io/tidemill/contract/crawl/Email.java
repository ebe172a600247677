package io.tidemill.contract.crawl;

import java.util.Locale;

/// An e-mail address that may become a header and part of a key (C1.6, F52).
///
/// @param text trimmed, the domain in lower case
public record Email(String text) {
  private static final int MAX = 254;
  private static final int MAX_LOCAL = 64;
  private static final String REFUSED = "()<>[]{}:;,\\\"'` ";

  /// Reads an address.
  ///
  /// @throws IllegalArgumentException that says what is wrong, without repeating it
  public static Email parse(String given) {
    var text = given.strip();
    if (text.length() > MAX) throw bad("is longer than " + MAX + " characters");
    var at = text.indexOf('@');
    if (at < 1 || at != text.lastIndexOf('@')) throw bad("must be like name@example.org");
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || REFUSED.indexOf(c) >= 0) {
        throw bad("has a character that is not allowed at position " + (i + 1));
      }
    }
    var local = text.substring(0, at);
    var domain = text.substring(at + 1).toLowerCase(Locale.ROOT);
    if (local.length() > MAX_LOCAL) throw bad("has a longer name than " + MAX_LOCAL);
    if (!isDotted(local) || !isDotted(domain) || domain.startsWith("-")) {
      throw bad("must be like name@example.org");
    }
    return new Email(local + "@" + domain);
  }

  private static boolean isDotted(String part) {
    return !part.isEmpty() && !part.startsWith(".") && !part.endsWith(".") && !part.contains("..");
  }

  private static IllegalArgumentException bad(String why) {
    return new IllegalArgumentException("email " + why);
  }

  @Override
  public String toString() {
    return text;
  }
}
