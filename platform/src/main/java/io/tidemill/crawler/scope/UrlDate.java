package io.tidemill.crawler.scope;

import io.tidemill.url.WebUrl;
import java.util.Optional;
import java.util.regex.Pattern;

/// A date in a URL.
///
/// @param text the dates as they were written, one behind the other
/// @param family the URL without them, the same for all pages of one calendar
/// @param calendar whether something in the URL says that it belongs to a calendar
record UrlDate(int year, String text, String family, boolean calendar) {
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
    var text = url.pathAndQuery();
    if (!hasYear(text)) return Optional.empty();
    var date = DATE.matcher(text);
    if (!date.find()) return Optional.empty();
    boolean calendar = CALENDAR.matcher(text).find();
    boolean compact = date.group(5) != null; // as likely the number of an article
    if (compact && !calendar) return Optional.empty();
    var year = date.group(1) != null ? date.group(1) : compact ? date.group(5) : date.group(6);
    var written = new StringBuilder();
    DATE.matcher(text).results().forEach(found -> written.append(found.group()).append(' '));
    PART.matcher(text).results().forEach(found -> written.append(found.group()).append(' '));
    var family = PART.matcher(DATE.matcher(text).replaceAll("#")).replaceAll("#");
    return Optional.of(
        new UrlDate(Integer.parseInt(year), written.toString(), url.host() + family, calendar));
  }

  /// Four digits in a row, which most URLs don't have.
  private static boolean hasYear(String text) {
    for (int i = 0, run = 0; i < text.length(); i++) {
      run = text.charAt(i) >= '0' && text.charAt(i) <= '9' ? run + 1 : 0;
      if (run == 4) return true;
    }
    return false;
  }
}
