package io.tidemill.crawl;

import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlOrigin;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A crawl that is to be put into the frontier.
///
/// @param first the page of `url`
/// @param trace the `traceparent` that its pages are fetched on behalf of
/// @param isTraced whether the request has a `traceparent`
/// @param origin headers of the request that the response copies
public record NewCrawl(
    String id,
    String owner,
    String url,
    FrontierLink first,
    CrawlOptions options,
    @Nullable String trace,
    boolean isTraced,
    CrawlOrigin origin) {
  private static final int LINKS_FOR_A_PAGE = 20;
  private static final int LEAST_KNOWN = 1_000;
  private static final int MOST_KNOWN = 2_000_000;

  Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put(CrawlFields.URL, url);
    fields.put(CrawlFields.MAX_PAGES, options.maxPages());
    fields.put(CrawlFields.MAX_BYTES, options.maxBytes());
    fields.put(CrawlFields.MAX_SECONDS, options.maxSeconds());
    fields.put(CrawlFields.RECRAWL, options.recrawl() || options.maxAge() == 0 ? "1" : "0");
    if (options.maxAge() > 0) fields.put(CrawlFields.MAX_AGE, options.maxAge() * 1_000);
    if (options.dryRun()) fields.put(CrawlFields.DRY_RUN, "1");
    // Some pages fail and some are no pages: more are known than fetched, but not without limit.
    fields.put(
        CrawlFields.MAX_KNOWN,
        Math.clamp((long) options.maxPages() * LINKS_FOR_A_PAGE, LEAST_KNOWN, MOST_KNOWN));
    CrawlCodec.encodeOptions(options)
        .forEach((name, text) -> fields.put(CrawlFields.OPTION_PREFIX + name, text));
    if (trace != null) fields.put(CrawlFields.TRACE, trace);
    fields.put(CrawlFields.OWNER, owner);
    if (isTraced) fields.put(CrawlFields.TRACED, "1");
    origin.headers().forEach((name, bytes) -> fields.put(CrawlFields.ORIGIN_PREFIX + name, bytes));
    return fields;
  }
}
