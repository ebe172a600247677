package io.tidemill.gateway.crawl;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.RecordAttempt;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Ends crawls when their responses come, each once (C1.2, C1.3).
public final class CrawlResponseConsumer {
  private static final Duration STORE_PAUSE = Duration.ofMillis(500);

  private final CrawlStore store;
  private final Traces traces;
  private final MeterRegistry metrics;

  public CrawlResponseConsumer(CrawlStore store, Traces traces, MeterRegistry metrics) {
    this.store = store;
    this.traces = traces;
    this.metrics = metrics;
  }

  /// One record of `crawl-responses`.
  public Settlement handle(RecordAttempt attempt) {
    var record = attempt.record();
    var trace = record.text(CrawlNames.TRACEPARENT);
    if (trace.isEmpty()) return handle(record); // a trace of nothing but its end is of no use
    return traces.inSpan(SpanKind.KAFKA, "take in response", trace.get(), () -> handle(record));
  }

  private Settlement handle(KafkaRecord record) {
    var key = CrawlCodec.decodeKey(headers(record));
    if (key.isEmpty()) return new Settlement.DeadLetter("the response names no id and email");
    try {
      return switch (CrawlCodec.decodeResponse(record.value())) {
        case Decoded.Message(CrawlResponse.Success(var data)) ->
            end(key.get(), CrawlStatus.COMPLETED, data);
        case Decoded.Message(CrawlResponse.Failure(var why)) ->
            end(key.get(), CrawlStatus.FAILED, CrawlCodec.failure(why));
        case Decoded.Unreadable(var why) -> refuse(key.get(), why);
        case Decoded.Malformed(var why) -> refuse(key.get(), why);
      };
    } catch (RedisException silent) {
      var why = String.valueOf(silent.getMessage());
      return silent.isRefusal()
          ? new Settlement.Retry(STORE_PAUSE, why)
          : new Settlement.Defer(STORE_PAUSE, why);
    }
  }

  private Settlement end(CrawlKey key, CrawlStatus status, JsonNode result) {
    Traces.about("crawl", key.id());
    var data = status == CrawlStatus.FAILED ? Json.text(result) : "{}";
    var ended = store.end(key, status, result, data);
    metrics
        .counter("gateway.crawl.responses", "ended", ended.name().toLowerCase(Locale.ROOT))
        .increment();
    return Settlement.DONE;
  }

  // The entity fails, and the record becomes a dead letter.
  private Settlement refuse(CrawlKey key, String why) {
    var reason = "the crawler's answer can't be read: " + why;
    end(key, CrawlStatus.FAILED, CrawlCodec.failure(reason));
    return new Settlement.DeadLetter(why);
  }

  private static Map<String, byte[]> headers(KafkaRecord record) {
    var headers = new LinkedHashMap<String, byte[]>();
    for (var header : record.headers()) {
      if (header.value() != null) headers.put(header.name(), header.value());
    }
    return headers;
  }
}
