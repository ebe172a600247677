package io.tidemill.crawler;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlOrigin;
import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Publishes responses, and knows after a crash whether one is out already (C1.2, F05).
public final class ResponsePublisher {
  private static final int SHORT_TEXT = 30_000;

  private final KafkaPublisher publisher;
  private final PublishedRecordFinder finder;

  public ResponsePublisher(KafkaPublisher publisher, PublishedRecordFinder finder) {
    this.publisher = publisher;
    this.finder = finder;
  }

  /// Where the topic ends now: a response that is published later stands behind it.
  String mark() {
    return Json.text(new TreeMap<>(finder.endOffsets(CrawlNames.RESPONSES)));
  }

  /// Whether a response stands behind the mark.
  boolean isPublished(String id, String mark) {
    var offsets = new LinkedHashMap<Integer, Long>();
    for (var entry : Json.parse(mark).properties()) {
      offsets.put(Integer.valueOf(entry.getKey()), entry.getValue().longValue());
    }
    return finder.contains(CrawlNames.RESPONSES, id.getBytes(UTF_8), offsets);
  }

  /// Returns when the broker has it; one that is too large is answered by a short one (F08).
  ///
  /// @param trace the `traceparent` that goes along, if any
  void publish(String id, CrawlOrigin origin, CrawlResponse response, @Nullable String trace) {
    Traces.part(
        SpanKind.KAFKA,
        "publish",
        CrawlNames.RESPONSES,
        () -> {
          try {
            return publisher.publish(record(id, origin, response, trace));
          } catch (KafkaException refused) {
            if (!refused.isTooLarge()) throw refused;
            return publisher.publish(record(id, origin, shorter(response), trace));
          }
        });
  }

  // Without its longest parts; that a crawl went well is worth more than its list of pages.
  private static CrawlResponse shorter(CrawlResponse response) {
    if (response instanceof CrawlResponse.Success(ObjectNode data)) {
      var rest = data.deepCopy();
      rest.remove(List.of("pages", "text", "links"));
      return new CrawlResponse.Success(rest.put("shortened", true));
    }
    if (response instanceof CrawlResponse.Success(StringNode text)) {
      return new CrawlResponse.Success(
          StringNode.valueOf(ScrapedPage.shortened(text.stringValue(), SHORT_TEXT)));
    }
    return new CrawlResponse.Failure("the result is too large for a message");
  }

  private static OutgoingRecord record(
      String id, CrawlOrigin origin, CrawlResponse response, @Nullable String trace) {
    var headers = new ArrayList<KafkaHeader>();
    origin.headers().forEach((name, bytes) -> headers.add(new KafkaHeader(name, bytes)));
    if (trace != null) headers.add(KafkaHeader.of(CrawlNames.TRACEPARENT, trace));
    return new OutgoingRecord(
        CrawlNames.RESPONSES, id.getBytes(UTF_8), headers, CrawlCodec.encodeResponse(response));
  }
}
