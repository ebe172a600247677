package io.tidemill.crawl;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A page as it was last seen, remembered between crawls.
///
/// @param etag empty when its host names none
/// @param lastModified as its host wrote it; empty when it did not
/// @param movedTo where its redirects ended; empty when there were none
/// @param links where it led to
public record SeenPage(
    String etag, String lastModified, String contentHash, String movedTo, List<String> links) {
  private static final int FIXED = 4;

  public SeenPage {
    links = List.copyOf(links);
  }

  /// Whether a conditional request can ask for it.
  public boolean hasVersion() {
    return !etag.isEmpty() || !lastModified.isEmpty();
  }

  String encode() {
    var lines = new ArrayList<>(List.of(line(etag), line(lastModified), contentHash, movedTo));
    lines.addAll(links);
    return String.join("\n", lines);
  }

  static Optional<SeenPage> decode(String text) {
    if (text.isEmpty()) return Optional.empty();
    var lines = List.of(text.split("\n", -1));
    if (lines.size() < FIXED) return Optional.empty();
    return Optional.of(
        new SeenPage(
            lines.get(0),
            lines.get(1),
            lines.get(2),
            lines.get(3),
            lines.subList(FIXED, lines.size())));
  }

  private static String line(String text) {
    return text.replace('\n', ' ').replace('\r', ' ');
  }
}
