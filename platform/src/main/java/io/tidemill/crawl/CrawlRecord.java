package io.tidemill.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlOrigin;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One crawl as the hash `crawl:{id}` holds it: the request, the state, the progress.
///
/// @param owner empty when unknown
/// @param limitedUntil when a host that answered 429 or 503 may be asked again
/// @param stoppedBy the option that bounds the crawl and was reached; empty when none was
/// @param data JSON for the response, see [CrawlTransition]; empty when there is none
/// @param seen a URL of this crawl that another crawl fetched a short time ago
/// @param trace the `traceparent` that its pages are fetched on behalf of
/// @param answerTrace the `traceparent` of its responses; null when the request had none
/// @param headers of the request as the gateway publishes it; empty for one of another gateway
public record CrawlRecord(
    String id,
    String owner,
    String url,
    CrawlOptions options,
    CrawlState state,
    CrawlCounters counters,
    @Nullable Instant limitedUntil,
    String stoppedBy,
    String data,
    @Nullable SeenBefore seen,
    @Nullable String trace,
    @Nullable String answerTrace,
    CrawlOrigin origin,
    Map<String, String> headers) {
  /// Which crawl fetched a URL, and when.
  public record SeenBefore(Instant at, String crawlId) {}

  /// Reads a crawl; empty when nothing is kept of it.
  static Optional<CrawlRecord> load(Redis redis, String id) {
    var fields = Redis.rawMap(redis.call(RedisCommand.HGETALL, CrawlNames.crawl(id)));
    return fields.isEmpty() ? Optional.empty() : Optional.of(decode(id, fields));
  }

  /// A crawl of which nothing is kept.
  public static CrawlRecord unknown(String id) {
    return decode(id, Map.of());
  }

  static CrawlRecord decode(String id, Map<String, byte[]> raw) {
    var fields = new LinkedHashMap<String, String>();
    raw.forEach((name, bytes) -> fields.put(name, new String(bytes, UTF_8)));
    var trace = fields.get(CrawlFields.TRACE);
    return new CrawlRecord(
        id,
        fields.getOrDefault(CrawlFields.OWNER, ""),
        fields.getOrDefault(CrawlFields.URL, ""),
        CrawlCodec.decodeOptions(below(CrawlFields.OPTION_PREFIX, fields)),
        CrawlState.of(fields.getOrDefault(CrawlFields.STATE, "")),
        CrawlCounters.of(fields),
        CrawlCounters.time(fields, CrawlFields.LIMITED_UNTIL),
        fields.getOrDefault(CrawlFields.STOPPED_BY, ""),
        fields.getOrDefault(CrawlFields.DATA, ""),
        seen(fields.getOrDefault(CrawlFields.SEEN, "")),
        trace,
        fields.containsKey(CrawlFields.TRACED) ? trace : null,
        CrawlOrigin.of(below(CrawlFields.ORIGIN_PREFIX, raw)),
        below(CrawlFields.HEADER_PREFIX, fields));
  }

  private static <T> Map<String, T> below(String prefix, Map<String, T> fields) {
    var found = new LinkedHashMap<String, T>();
    fields.forEach((name, value) -> {
      if (name.startsWith(prefix)) found.put(name.substring(prefix.length()), value);
    });
    return found;
  }

  private static @Nullable SeenBefore seen(String text) {
    var tab = text.indexOf('\t');
    if (tab < 0) return null;
    var at = Instant.ofEpochMilli(Long.parseLong(text.substring(0, tab)));
    return new SeenBefore(at, text.substring(tab + 1));
  }
}
