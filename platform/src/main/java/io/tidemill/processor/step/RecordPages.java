package io.tidemill.processor.step;

import io.tidemill.content.fingerprint.Digest;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageFacts;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.contract.page.PageText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Pages (C4.2) of records that have at least a `url` and a `text`.
public record RecordPages(UrlNormaliser urls, LanguageDetector languages, InstantSource clock) {
  private static final int LANGUAGE_SAMPLE = 4_000;
  private static final int OK = 200;

  /// A page ready to be published.
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Page(byte[] body, PageFacts facts) {}

  /// @throws IllegalArgumentException that says why the record is no page
  Page of(JsonNode record) {
    if (!record.isObject()) throw new IllegalArgumentException("the record must be a JSON object");
    var url =
        WebUrl.parse(needed(record, "url", "url"))
            .orElseThrow(() -> new IllegalArgumentException("url must be an http or https URL"));
    var readable = needed(record, record.hasNonNull("text") ? "text" : "content", "text");
    var wire = new PageText(readable, List.of()).wire();
    var identity = urls.normalise(url);
    var body =
        PageCodec.encode(
            new PageMessage(
                identity,
                wire.normalised(),
                text(record, "title"),
                text(record, "description"),
                time(record, "fetchedAt", time(record, "timestamp", clock.instant())),
                record.path("statusCode").asInt(OK)));
    // What the indexer would dead-letter is reported here, in the step's result.
    if (PageCodec.decode(body) instanceof Decoded.Malformed(var why)) {
      throw new IllegalArgumentException(why);
    }
    var given = url.withoutFragment().href();
    return new Page(body, facts(record, readable, wire, given.equals(identity) ? "" : given));
  }

  private PageFacts facts(
      JsonNode record, String readable, PageText.WireForm wire, String fetchedUrl) {
    var claimed = text(record, "language");
    var sample = readable.substring(0, Math.min(readable.length(), LANGUAGE_SAMPLE));
    return new PageFacts(
        text(record, "crawlId"),
        Digest.sha256().add(wire.normalised()).hex(),
        claimed.length() == 2 ? claimed : languages.detect(sample, claimed),
        text(record, "type"),
        timeOrNone(record, "publishedAt"),
        fetchedUrl,
        wire.shape());
  }

  private static String needed(JsonNode record, String field, String name) {
    var text = text(record, field);
    if (text.isBlank()) throw new IllegalArgumentException(name + " is missing");
    return text;
  }

  private static String text(JsonNode record, String field) {
    var node = record.path(field);
    return node.isString() ? node.stringValue() : "";
  }

  private static Instant time(JsonNode record, String field, Instant fallback) {
    var time = timeOrNone(record, field);
    return time == null ? fallback : time;
  }

  private static @Nullable Instant timeOrNone(JsonNode record, String field) {
    try {
      var text = text(record, field);
      return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException notATime) {
      return null;
    }
  }
}
