package io.tidemill.contract.page;

import io.tidemill.json.IsoTime;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What our crawler knows of a page beyond the contract's body; it travels in extra headers, which
/// strangers neither write nor need.
///
/// @param crawlId empty when there is none
/// @param contentHash of the text, hex; empty when unknown
/// @param language ISO 639-1, empty when unknown
/// @param type media type, empty when unknown
/// @param publishedAt when the page says it was published
/// @param fetchedUrl the URL as it was fetched (C4.4); empty when it is spelled as the message's
///   `url`
/// @param shape of the text, see [PageText#shape]; empty when there is none
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record PageFacts(
    String crawlId,
    String contentHash,
    String language,
    String type,
    @Nullable Instant publishedAt,
    String fetchedUrl,
    byte[] shape) {
  private static final String CRAWL = "tidemill-crawl";
  private static final String HASH = "tidemill-hash";
  private static final String LANGUAGE = "tidemill-lang";
  private static final String TYPE = "tidemill-type";
  private static final String PUBLISHED = "tidemill-published";
  private static final String FETCHED_URL = "tidemill-url";
  private static final String SHAPE = "tidemill-shape";

  // All but the URL are short words; anything else was not written by us.
  private static final int MAX = 200;

  /// The message's extra headers: text, and bytes for the shape; what is empty is left out.
  public Map<String, Object> headers() {
    var headers = new LinkedHashMap<String, Object>();
    put(headers, CRAWL, crawlId);
    put(headers, HASH, contentHash);
    put(headers, LANGUAGE, language);
    put(headers, TYPE, type);
    if (publishedAt != null) headers.put(PUBLISHED, IsoTime.text(publishedAt));
    put(headers, FETCHED_URL, fetchedUrl);
    if (shape.length > 0) headers.put(SHAPE, shape);
    return headers;
  }

  /// What the headers of a message say; whatever is missing or odd counts as not said.
  public static PageFacts of(Map<String, ?> headers) {
    return new PageFacts(
        text(headers, CRAWL),
        text(headers, HASH),
        text(headers, LANGUAGE),
        text(headers, TYPE),
        time(text(headers, PUBLISHED)),
        url(headers),
        headers.get(SHAPE) instanceof byte[] shape ? shape : new byte[0]);
  }

  private static void put(Map<String, Object> headers, String name, String value) {
    if (!value.isEmpty()) headers.put(name, PageCodec.wellFormed(value));
  }

  private static String text(Map<String, ?> headers, String name) {
    return headers.get(name) instanceof String text && text.length() <= MAX ? text : "";
  }

  private static String url(Map<String, ?> headers) {
    return headers.get(FETCHED_URL) instanceof String url && PageCodec.fault(url).isEmpty()
        ? url
        : "";
  }

  private static @Nullable Instant time(String text) {
    try {
      return PageTime.read(text);
    } catch (IllegalArgumentException notATime) {
      return null;
    }
  }
}
