package io.tidemill.crawler;

import io.tidemill.content.html.PageContent;
import io.tidemill.contract.page.PageText;
import io.tidemill.fetch.FetchResult;
import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.List;

/// A page as others get it: in a crawl's response (C1.2), and in the batches of its crawl (C5.7).
final class ScrapedPage {
  // A Kafka record holds 1 MB, and a character may need three bytes and an escape.
  private static final int LONGEST_TEXT = 200_000;
  private static final int MOST_LINKS = 500;

  private ScrapedPage() {}

  /// The `scrapedData` of a single page.
  static String data(
      String url, FetchResult.Answer answer, PageContent content, String hash, Instant at) {
    var data = Json.object();
    data.put("url", url);
    data.put("finalUrl", answer.url().href());
    data.put("statusCode", answer.status());
    data.put("title", content.title());
    data.put("description", content.description());
    data.put("language", content.language());
    data.put("contentType", content.mediaType());
    data.put("text", shortened(main(content.text())));
    data.put("contentHash", hash);
    data.put("fetchedAt", IsoTime.text(at));
    var published = content.publishedAt();
    if (published != null) data.put("publishedAt", IsoTime.text(published));
    var links = data.putArray("links");
    content.links().stream().limit(MOST_LINKS).forEach(link -> links.add(link.target().href()));
    return Json.text(data);
  }

  /// One item of a batch, in the shape that readers of C5 know from other platforms.
  ///
  /// @param id the same for the same page, whatever it says
  static String kept(
      String id, String url, String host, PageContent content, String hash, Instant at) {
    var item = Json.object();
    var meta = item.putObject("meta");
    meta.put("id", id);
    meta.put("content_hash", hash);
    meta.put("platform", "WEB");
    meta.put("fetch_status", "success");
    var published = content.publishedAt();
    meta.put("published_at", published == null ? null : IsoTime.text(published));
    meta.put("fetched_at", IsoTime.text(at));
    meta.put("permalink", url);
    var body = item.putObject("content");
    body.put("title", content.title());
    body.put("text", shortened(main(content.text())));
    if (!content.language().isEmpty()) body.put("language", content.language());
    var interaction = item.putObject("interaction");
    for (var count : List.of("views", "likes", "comments_count", "shares", "saves")) {
      interaction.put(count, 0);
    }
    item.putObject("author").put("id", host).put("name", host);
    return Json.text(item);
  }

  // What the page is about, without what stands around it.
  static String main(PageText text) {
    if (text.main().isEmpty()) return text.readable();
    var main = new StringBuilder();
    for (var span : text.main()) {
      if (!main.isEmpty()) main.append('\n');
      main.append(text.readable(), span.start(), span.end());
    }
    return main.toString();
  }

  private static String shortened(String text) {
    return shortened(text, LONGEST_TEXT);
  }

  static String shortened(String text, int longest) {
    if (text.length() <= longest) return text;
    var end = Character.isHighSurrogate(text.charAt(longest - 1)) ? 1 : 0;
    return text.substring(0, longest - end);
  }
}
