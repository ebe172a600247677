package io.tidemill.crawler;

import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageFacts;
import io.tidemill.contract.page.PageGone;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.contract.page.PageNames;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.trace.MessageSamples;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// Publishes pages, each confirmed by the broker (C4.1, F34, F35).
public final class PagePublisher {
  private final AmqpPublisher publisher;
  private final MessageSamples samples;

  public PagePublisher(AmqpPublisher publisher, MessageSamples samples) {
    this.publisher = publisher;
    this.samples = samples;
  }

  /// Returns when the broker has the page.
  void publish(PageMessage page, PageFacts facts) {
    send(PageNames.PAGE, PageNames.QUEUE, PageCodec.encode(page), facts.headers());
  }

  /// Returns when the broker knows that the page is gone.
  void withdraw(PageGone gone) {
    send(PageNames.PAGE_GONE, PageNames.GONE, PageCodec.encodeGone(gone), Map.of());
  }

  private void send(String kind, String queue, byte[] body, Map<String, Object> facts) {
    Traces.part(
        SpanKind.AMQP,
        "publish",
        queue,
        () -> {
          var message = message(queue, body, facts); // in the span that its reader goes on from
          publisher.publish(message);
          samples.offer(kind, queue, message.headers(), body);
          return "";
        });
  }

  private static OutgoingMessage message(String queue, byte[] body, Map<String, Object> facts) {
    var headers = new LinkedHashMap<String, Object>(facts);
    var trace = Traces.header();
    if (trace != null) headers.put("traceparent", trace);
    var id = UUID.randomUUID().toString();
    return new OutgoingMessage("", queue, body, headers, id, PageNames.CONTENT_TYPE, null);
  }
}
