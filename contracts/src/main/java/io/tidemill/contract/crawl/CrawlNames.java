package io.tidemill.contract.crawl;

/// Every name of contract C1, spelled once.
public final class CrawlNames {
  /// Where the gateway asks.
  public static final String REQUESTS = "crawl-requests";

  /// Where the crawler answers.
  public static final String RESPONSES = "crawl-responses";

  /// The consumer group of the crawlers.
  public static final String CRAWLERS = "crawl-workers";

  /// The contract's consumer group of gateways. Ours leave it to gateways of another make.
  public static final String GATEWAYS = "crawl-response-group";

  /// The consumer group of our gateways, so that those of another make hear every response, too.
  public static final String OUR_GATEWAYS = "tidemill-crawl-responses";

  /// The headers that a response copies from its request (C1.1, C1.2).
  public static final String ID = "id";

  public static final String EMAIL = "email";
  public static final String CREATED_AT = "createdAt";

  /// Where W3C trace context goes along (G5).
  public static final String TRACEPARENT = "traceparent";

  /// Where crawlers hear that a crawl was canceled: one id a message.
  public static final String CANCEL_CHANNEL = "crawls:cancel";

  private static final int MAX_ID = 128;

  private CrawlNames() {}

  /// The crawls of one user: a hash of id to entity (C1.3).
  public static String crawls(String email) {
    return "crawls:" + email;
  }

  /// What we show of a page beside the text in its crawl's entity: a hash of id to JSON.
  public static String details(String email) {
    return "crawl-details:" + email;
  }

  /// What we know of one crawl beside its entity: its owner, progress, options.
  public static String crawl(String id) {
    return "crawl:" + id;
  }

  /// The events of one crawl: a stream.
  public static String events(String id) {
    return crawl(id) + ":events";
  }

  /// Whether this can be a crawl's id: a UUID, or anything as harmless.
  public static boolean isId(String id) {
    return !id.isEmpty() && id.length() <= MAX_ID && id.chars().allMatch(CrawlNames::isIdCharacter);
  }

  private static boolean isIdCharacter(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || c == '-'
        || c == '_'
        || c == '.';
  }
}
