package io.tidemill.crawl;

import io.tidemill.redis.Redis;
import java.util.List;
import java.util.Optional;

/// One page that a crawler holds, to fetch it.
///
/// @param item the frontier's own text of it: the lease
/// @param host whom to be polite to
/// @param attempt how often it was tried before
/// @param identity the normalised URL (C4.4)
/// @param address the URL to fetch, as it was found
/// @param base where the crawl's first page really was; empty while unknown
/// @param memory see [#seenBefore]
/// @param isSeen whether it was crawled a short time ago: not to be fetched, only followed (C4.3)
public record PageLease(
    String item,
    String crawlId,
    String host,
    int depth,
    int attempt,
    String identity,
    String address,
    String base,
    String memory,
    boolean isSeen) {

  /// How the page was when it was last seen, in whichever crawl.
  public Optional<SeenPage> seenBefore() {
    return SeenPage.decode(memory);
  }

  static PageLease of(List<Object> reply) {
    var item = Redis.text(reply.get(0));
    var parts = item.split("\t", 6);
    return new PageLease(
        item,
        parts[0],
        parts[1],
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]),
        parts[4],
        parts[5],
        Redis.text(reply.get(1)),
        Redis.text(reply.get(2)),
        Redis.text(reply.get(3)).equals("seen"));
  }

  static String item(String crawlId, String host, int depth, String identity, String address) {
    return String.join("\t", crawlId, host, String.valueOf(depth), "0", identity, address);
  }
}
