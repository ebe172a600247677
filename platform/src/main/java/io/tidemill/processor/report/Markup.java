package io.tidemill.processor.report;

/// Text made safe for HTML and XML alike.
final class Markup {
  private Markup() {}

  static String escaped(String text) {
    return io.tidemill.text.Markup.escaped(text);
  }

  /// A link when it leads to the web, plain text otherwise.
  static String link(String url, int most) {
    var shown = escaped(Words.shortened(url, most));
    if (!url.startsWith("http://") && !url.startsWith("https://")) return shown;
    return "<a rel=\"noopener noreferrer nofollow\" href=\""
        + escaped(url)
        + "\">"
        + shown
        + "</a>";
  }
}
