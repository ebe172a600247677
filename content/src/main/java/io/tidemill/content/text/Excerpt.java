package io.tidemill.content.text;

/// Cuts texts to a length.
public final class Excerpt {
  private Excerpt() {}

  /// The beginning of a text, with an ellipsis where something is left out; never half a character.
  ///
  /// @param longest characters of it with the ellipsis, 2 at least
  public static String of(String text, int longest) {
    if (text.length() <= longest) return text;
    var end = Character.isHighSurrogate(text.charAt(longest - 2)) ? longest - 2 : longest - 1;
    return text.substring(0, end) + "…";
  }
}
