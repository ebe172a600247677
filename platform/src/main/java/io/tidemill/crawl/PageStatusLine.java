package io.tidemill.crawl;

import io.tidemill.json.Json;
import org.jspecify.annotations.Nullable;

/// One line about a page of a crawl, as JSON, for the list of its pages.
public final class PageStatusLine {
  private static final int LONGEST_TITLE = 300;

  private PageStatusLine() {}

  public static String fetched(String url, int status, String title, long bytes, int depth) {
    var shown = title.length() > LONGEST_TITLE ? title.substring(0, LONGEST_TITLE) : title;
    return Json.text(
        Json.object()
            .put("url", url)
            .put("outcome", "fetched")
            .put("status", status)
            .put("title", shown)
            .put("bytes", bytes)
            .put("depth", depth));
  }

  public static String skipped(String url, @Nullable Integer status, String why) {
    return ended(url, "skipped", status, why);
  }

  public static String failed(String url, @Nullable Integer status, String why) {
    return ended(url, "failed", status, why);
  }

  private static String ended(String url, String outcome, @Nullable Integer status, String why) {
    var line = Json.object().put("url", url).put("outcome", outcome);
    if (status != null) line.put("status", status);
    return Json.text(line.put("reason", why));
  }
}
