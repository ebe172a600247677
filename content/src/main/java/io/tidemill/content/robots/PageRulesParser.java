package io.tidemill.content.robots;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Gathers the rules of a page, one `meta` element or header after the other.
final class PageRulesParser {
  private static final Set<String> WITH_VALUE =
      Set.of("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview");
  private static final List<DateTimeFormatter> ZONED =
      List.of(
          DateTimeFormatter.ISO_OFFSET_DATE_TIME,
          DateTimeFormatter.RFC_1123_DATE_TIME,
          DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss zzz", Locale.ENGLISH),
          DateTimeFormatter.ofPattern("d-MMM-yyyy HH:mm:ss zzz", Locale.ENGLISH),
          DateTimeFormatter.ofPattern("d MMM yyyy HH:mm:ss zzz", Locale.ENGLISH),
          DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss zzz", Locale.ENGLISH));

  private final String agent;
  private boolean noindex;
  private boolean nofollow;
  private boolean noarchive;
  private @Nullable Instant unavailableAfter;

  PageRulesParser(String agent) {
    this.agent = agent.toLowerCase(Locale.ROOT);
  }

  PageRules rules() {
    return new PageRules(noindex, nofollow, noarchive, unavailableAfter);
  }

  void meta(String name, String content) {
    var meant = name.strip().toLowerCase(Locale.ROOT);
    if (meant.equals("robots") || meant.equals(agent)) directives(content.split(",", -1), false);
  }

  /// `X-Robots-Tag: noindex`, or `X-Robots-Tag: otherbot: noindex, nofollow`.
  void header(String value) {
    directives(value.split(",", -1), true);
  }

  private void directives(String[] parts, boolean mayNameAgents) {
    boolean meant = true;
    for (int i = 0; i < parts.length; i++) {
      var part = parts[i].strip();
      int colon = part.indexOf(':');
      var word = colon < 0 ? part : part.substring(0, colon).strip();
      if (mayNameAgents && colon > 0 && !WITH_VALUE.contains(word.toLowerCase(Locale.ROOT))) {
        meant = word.equalsIgnoreCase(agent) || word.equals("*");
        part = part.substring(colon + 1).strip();
      }
      if (meant) directive(part, i + 1 < parts.length ? parts[i + 1] : "");
    }
  }

  private void directive(String part, String next) {
    int colon = part.indexOf(':');
    switch ((colon < 0 ? part : part.substring(0, colon).strip()).toLowerCase(Locale.ROOT)) {
      case "noindex" -> noindex = true;
      case "nofollow" -> nofollow = true;
      case "none" -> {
        noindex = true;
        nofollow = true;
      }
      case "noarchive", "nocache" -> noarchive = true;
      case "unavailable_after" -> unavailableAfter(part.substring(colon + 1).strip(), next);
      default -> {} // about snippets and previews, which we don't show
    }
  }

  /// A date may hold a comma itself: `Friday, 25-Jun-10 15:00:00 UTC`.
  private void unavailableAfter(String date, String next) {
    instant(date)
        .or(() -> instant(date + ", " + next.strip()))
        .filter(at -> unavailableAfter == null || at.isBefore(unavailableAfter))
        .ifPresent(at -> unavailableAfter = at);
  }

  private static Optional<Instant> instant(String text) {
    for (var format : ZONED) {
      try {
        return Optional.of(format.parse(text, ZonedDateTime::from).toInstant());
      } catch (DateTimeException notThisOne) {
        // the next
      }
    }
    try {
      return Optional.of(unzoned(text));
    } catch (DateTimeException notADate) {
      return Optional.empty();
    }
  }

  private static Instant unzoned(String text) {
    var parsed =
        DateTimeFormatter.ISO_DATE_TIME.parseBest(
            text.length() == 10 ? text + "T00:00:00" : text.replace(' ', 'T'),
            OffsetDateTime::from,
            LocalDateTime::from);
    return parsed instanceof LocalDateTime local
        ? local.toInstant(ZoneOffset.UTC)
        : Instant.from(parsed);
  }
}
