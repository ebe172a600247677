package io.tidemill.processor.chart;

/// Text made safe for HTML and XML alike.
public final class ReportMarkup {
  private ReportMarkup() {}

  public static String escaped(String text) {
    return io.tidemill.content.text.MarkupEscape.escaped(text);
  }

  /// A link when it leads to the web, plain text otherwise.
  public static String link(String url, int most) {
    var shown = escaped(HumanText.shortened(url, most));
    if (!url.startsWith("http://") && !url.startsWith("https://")) return shown;
    return "<a rel=\"noopener noreferrer nofollow\" href=\""
        + escaped(url)
        + "\">"
        + shown
        + "</a>";
  }
}
