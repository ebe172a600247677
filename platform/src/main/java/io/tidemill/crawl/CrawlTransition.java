package io.tidemill.crawl;

import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Decides what a crawl responds after its last page (C1.2).
public final class CrawlTransition {
  private static final String ERROR = "errorMessage";
  private static final String TEXT = "text";
  private static final String PREVIEW = "preview";

  private CrawlTransition() {}

  /// @param lines about the pages, as JSON
  /// @param asText whether a request without options is answered with the text of its page
  public static CrawlResponse after(CrawlRecord crawl, List<String> lines, boolean asText) {
    if (crawl.state() == CrawlState.CANCELED) return new CrawlResponse.Failure("canceled");
    var data = data(crawl);
    if (crawl.options().dryRun() && data.has(PREVIEW)) return new CrawlResponse.Success(data);
    if (crawl.counters().fetched() == 0 && crawl.seen() == null) return withoutPages(data);
    return crawl.options().isSinglePage() ? page(crawl, data, asText) : site(crawl, lines);
  }

  private static JsonNode data(CrawlRecord crawl) {
    return crawl.data().isEmpty() ? Json.object() : Json.parse(crawl.data());
  }

  // Who sends options of ours reads objects; the contract's readers may know texts only.
  private static CrawlResponse page(CrawlRecord crawl, JsonNode page, boolean asText) {
    if (crawl.counters().fetched() == 0 && !page.has(TEXT)) return withoutPages(page);
    var hasOptions = !CrawlCodec.encodeOptions(crawl.options()).isEmpty();
    return new CrawlResponse.Success(
        asText && !hasOptions
            ? StringNode.valueOf(page.path(TEXT).asString(""))
            : marked(page.deepCopy(), crawl));
  }

  // C4.3: a URL that was crawled a short time ago is not fetched again.
  private static JsonNode marked(JsonNode data, CrawlRecord crawl) {
    var seen = crawl.seen();
    if (seen == null || crawl.counters().fetched() > 0) return data;
    if (!(data instanceof ObjectNode object)) return data;
    if (!object.has("fetchedAt")) object.put("fetchedAt", IsoTime.text(seen.at()));
    return object.put("alreadyCrawled", true).put("crawlId", seen.crawlId());
  }

  /// What is known of a single page beside its text, as JSON, for a response that has the text
  /// only.
  public static String details(CrawlRecord crawl) {
    var details = marked(data(crawl).deepCopy(), crawl);
    if (details instanceof ObjectNode object) object.remove(TEXT);
    return Json.text(details);
  }

  private static CrawlResponse withoutPages(JsonNode data) {
    var why = data.path(ERROR).asString("");
    return new CrawlResponse.Failure(why.isEmpty() ? "no page could be fetched" : why);
  }

  private static CrawlResponse site(CrawlRecord crawl, List<String> lines) {
    var data = Json.object().put("url", crawl.url());
    crawl.counters().byName().forEach(data::put);
    if (!crawl.stoppedBy().isEmpty()) data.put("stoppedBy", crawl.stoppedBy());
    var pages = data.putArray("pages");
    for (var line : lines) pages.add(Json.parse(line));
    return new CrawlResponse.Success(marked(data, crawl));
  }

  /// The data of a dry run.
  public static String preview(ObjectNode preview) {
    return Json.text(Json.object().set(PREVIEW, preview));
  }

  /// The data of a crawl whose first page failed.
  public static String failure(String why) {
    return Json.text(Json.object().put(ERROR, why));
  }
}
