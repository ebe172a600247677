package io.tidemill.crawler;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// What a crawl answers in the end, decided from what is remembered of it (C1.2).
final class CrawlOutcome {
  private static final String ERROR = "errorMessage";
  private static final String PREVIEW = "{\"preview\":";

  private CrawlOutcome() {}

  /// @param lines about the pages, as JSON
  /// @param asText whether a single page's text is wanted instead of an object
  static CrawlResponse of(Map<String, byte[]> fields, List<String> lines, boolean asText) {
    if (text(fields, "state").equals("canceled")) return new CrawlResponse.Failure("canceled");
    var data = text(fields, "data");
    if (data.startsWith(PREVIEW)) return new CrawlResponse.Success(Json.parse(data));
    var single = text(fields, "max_pages").equals("1") && !fields.containsKey("option:maxPages");
    if (number(fields, "fetched") == 0) return nothing(fields, data, asText);
    return single ? page(data, asText) : site(fields, lines);
  }

  private static CrawlResponse page(String data, boolean asText) {
    var page = data.isEmpty() ? Json.object() : Json.parse(data);
    return new CrawlResponse.Success(
        asText ? StringNode.valueOf(page.path("text").asString("")) : page);
  }

  private static CrawlResponse nothing(Map<String, byte[]> fields, String data, boolean asText) {
    var seen = text(fields, "seen");
    if (!seen.isEmpty()) return alreadySeen(text(fields, "url"), seen, asText);
    var why = data.isEmpty() ? "" : Json.parse(data).path(ERROR).asString("");
    return new CrawlResponse.Failure(why.isEmpty() ? "no page could be fetched" : why);
  }

  // C4.3: a URL that was crawled a short time ago is not fetched again; who crawled it is said.
  private static CrawlResponse alreadySeen(String url, String seen, boolean asText) {
    var tab = seen.indexOf('\t');
    var at = Instant.ofEpochMilli(Long.parseLong(seen.substring(0, tab)));
    var message = "already crawled at " + at + "; ask with recrawl to fetch it again";
    if (asText) return new CrawlResponse.Success(StringNode.valueOf(message));
    return new CrawlResponse.Success(
        Json.object()
            .put("url", url)
            .put("alreadyCrawled", true)
            .put("fetchedAt", at.toString())
            .put("crawlId", seen.substring(tab + 1))
            .put("message", message));
  }

  private static CrawlResponse site(Map<String, byte[]> fields, List<String> lines) {
    var data = Json.object().put("url", text(fields, "url"));
    for (var count : List.of("found", "fetched", "skipped", "failed", "bytes")) {
      data.put(count, number(fields, count));
    }
    if (fields.containsKey("stopped_by")) data.put("stoppedBy", text(fields, "stopped_by"));
    var pages = data.putArray("pages");
    for (var line : lines) pages.add(Json.parse(line));
    return new CrawlResponse.Success(data);
  }

  /// What stands for a crawl that was only looked at.
  static String preview(ObjectNode preview) {
    return Json.text(Json.object().set("preview", preview));
  }

  /// What stands for a page that could not be had.
  static String failure(String why) {
    return Json.text(Json.object().put(ERROR, why));
  }

  private static String text(Map<String, byte[]> fields, String name) {
    var bytes = fields.get(name);
    return bytes == null ? "" : new String(bytes, UTF_8);
  }

  private static long number(Map<String, byte[]> fields, String name) {
    var text = text(fields, name);
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }
}
