package io.tidemill.crawl;

import java.util.Set;

/// Every field of the hashes `crawl:{id}` and `frontier:host:{host}`, spelled once; a test compares
/// the scripts with [#CRAWL] and [#HOST].
public final class CrawlFields {
  public static final String OWNER = "email";
  public static final String URL = "url";
  public static final String STATE = "state";
  public static final String FOUND = "found";
  public static final String FETCHED = "fetched";
  public static final String SKIPPED = "skipped";
  public static final String FAILED = "failed";
  public static final String BYTES = "bytes";
  public static final String OPEN = "open";
  public static final String STARTED = "started";
  public static final String ENDED = "ended";

  static final String CREATED = "created";
  static final String MAX_PAGES = "max_pages";
  static final String MAX_BYTES = "max_bytes";
  static final String MAX_SECONDS = "max_seconds";
  static final String MAX_KNOWN = "max_known";
  static final String RECRAWL = "recrawl";
  static final String MAX_AGE = "max_age";
  static final String DRY_RUN = "dry";
  static final String TRACE = "trace";

  /// Set when the request has a `traceparent`: only then do its responses carry one.
  static final String TRACED = "traced";

  static final String LIMITED_UNTIL = "limited_until";
  static final String STOPPED_BY = "stopped_by";

  /// JSON: the page of a single-page crawl, a preview, or why the first page failed.
  static final String DATA = "data";

  /// When a URL was seen before, and by which crawl, between tabs.
  static final String SEEN = "seen";

  /// The end offsets of the topic before the response is published.
  static final String RESPONSE_FROM = "response_from";

  static final String PROJECT = "option:project";

  /// `option:maxPages` and so on.
  static final String OPTION_PREFIX = "option:";

  /// Headers of the request as the gateway publishes it.
  static final String HEADER_PREFIX = "header:";

  /// Headers of the request that the response copies, byte for byte.
  static final String ORIGIN_PREFIX = "origin:";

  /// Fields of a crawl that scripts name: those above, and those that only scripts use.
  static final Set<String> CRAWL =
      Set.of(
          OWNER,
          URL,
          STATE,
          FOUND,
          FETCHED,
          SKIPPED,
          FAILED,
          BYTES,
          OPEN,
          STARTED,
          ENDED,
          CREATED,
          MAX_PAGES,
          MAX_BYTES,
          MAX_SECONDS,
          MAX_KNOWN,
          RECRAWL,
          MAX_AGE,
          DRY_RUN,
          TRACE,
          TRACED,
          LIMITED_UNTIL,
          STOPPED_BY,
          DATA,
          SEEN,
          RESPONSE_FROM,
          PROJECT,
          "taken",
          "deadline",
          "base",
          "told",
          "batches");

  /// Fields of a host.
  static final Set<String> HOST = Set.of("next", "until", "busy", "delay");

  private CrawlFields() {}
}
