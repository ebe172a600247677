package io.tidemill.content.sitemap;

import io.tidemill.content.url.WebUrl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads sitemaps: XML, RSS, Atom, or one URL a line; what can't be read is left out (F49).
public final class SitemapReader {
  /// The most pages of one sitemap, as its standard says; the rest is ignored.
  public static final int MOST_URLS = 50_000;

  /// The largest sitemap, unpacked, as its standard says; the rest is ignored.
  public static final int MOST_BYTES = 50 * 1024 * 1024;

  private static final int LONGEST_LINE = 8_192;

  private SitemapReader() {}

  /// Reads a sitemap that was fetched from an address and unpacked.
  public static Sitemap parse(byte[] body, WebUrl address) {
    int length = Math.min(body.length, MOST_BYTES);
    return looksLikeXml(body, length)
        ? new XmlSitemap(address).read(body, length)
        : text(body, length);
  }

  /// UTF-16 has zeros around its `<`; a list of URLs has no `<` at its start.
  private static boolean looksLikeXml(byte[] body, int length) {
    for (int i = 0; i < Math.min(length, 1_024); i++) {
      if (body[i] == '<') return true;
      if (body[i] > ' ') return false;
    }
    return false;
  }

  private static Sitemap text(byte[] body, int length) {
    var entries = new ArrayList<Sitemap.Entry>();
    for (int from = 0; from < length && entries.size() < MOST_URLS; ) {
      int to = from;
      while (to < length && body[to] != '\n' && body[to] != '\r') to++;
      if (to > from && to - from <= LONGEST_LINE) {
        var line = new String(body, from, to - from, StandardCharsets.UTF_8);
        // Only whole URLs: any other text would make a page of this site out of every line.
        WebUrl.parse(line.startsWith("\uFEFF") ? line.substring(1) : line)
            .ifPresent(url -> entries.add(new Sitemap.Entry(url, null)));
      }
      from = to + 1;
    }
    return new Sitemap(entries, List.of());
  }
}
