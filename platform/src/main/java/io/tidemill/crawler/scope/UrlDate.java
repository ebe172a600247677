package io.tidemill.crawler.scope;

import io.tidemill.content.url.WebUrl;
import java.util.Optional;
import java.util.regex.Pattern;

/// A date in a URL.
///
/// @param compact whether it is written 20240517, which may as well be the number of an article
record UrlDate(int year, boolean compact, String host, String path) {
  private static final Pattern CALENDAR =
      Pattern.compile(
          "calend|kalend|event|agenda|schedul|booking|month|week|year|(?<![a-z])(cal|day|date)",
          Pattern.CASE_INSENSITIVE);

  /// 2024/05, 2024-05-17; 20240517; year=2024.
  private static final Pattern DATE =
      Pattern.compile(
          "(?<![0-9])([12][0-9]{3})([-/_.])(1[0-2]|0?[1-9])(?:\\2(3[01]|[12][0-9]|0?[1-9]))?(?![0-9])"
              + "|(?<![0-9])([12][0-9]{3})(?:1[0-2]|0[1-9])(?:3[01]|[12][0-9]|0[1-9])(?![0-9])"
              + "|(?<=[?&](?:year|jahr|y)=)([12][0-9]{3})(?![0-9])");

  /// The other parts of a date that is spread over parameters.
  private static final Pattern PART =
      Pattern.compile("(?<=[?&](?:month|day|week|mon|m|d|w)=)[0-9]{1,2}(?![0-9])");

  static Optional<UrlDate> in(WebUrl url) {
    var query = url.query();
    if (!hasYear(url.path()) && (query == null || !hasYear(query))) return Optional.empty();
    var path = url.pathAndQuery();
    var date = DATE.matcher(path);
    if (!date.find()) return Optional.empty();
    boolean compact = date.group(5) != null;
    var year = date.group(1) != null ? date.group(1) : compact ? date.group(5) : date.group(6);
    return Optional.of(new UrlDate(Integer.parseInt(year), compact, url.host(), path));
  }

  /// Four digits in a row, which most URLs don't have.
  private static boolean hasYear(String text) {
    for (int i = 0, run = 0; i < text.length(); i++) {
      run = text.charAt(i) >= '0' && text.charAt(i) <= '9' ? run + 1 : 0;
      if (run == 4) return true;
    }
    return false;
  }

  /// Whether something in the URL says that it belongs to a calendar.
  boolean ofCalendar() {
    return CALENDAR.matcher(path).find();
  }

  /// All dates as they were written, one behind the other.
  String text() {
    var text = new StringBuilder();
    DATE.matcher(path).results().forEach(found -> text.append(found.group()).append(' '));
    PART.matcher(path).results().forEach(found -> text.append(found.group()).append(' '));
    return text.toString();
  }

  /// The URL without its dates, the same for all pages of one calendar.
  String family() {
    return host + PART.matcher(DATE.matcher(path).replaceAll("#")).replaceAll("#");
  }
}
