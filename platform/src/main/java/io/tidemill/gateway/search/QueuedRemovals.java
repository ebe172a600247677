package io.tidemill.gateway.search;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageGone;
import io.tidemill.contract.page.PageNames;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;

/// Removes pages from the index by a message to the indexer.
public final class QueuedRemovals {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private final AmqpPublisher publisher;
  private final InstantSource clock;

  public QueuedRemovals(AmqpPublisher publisher, InstantSource clock) {
    this.publisher = publisher;
    this.clock = clock;
  }

  /// Returns when the broker has confirmed the message.
  public void remove(String normalisedUrl) {
    var gone = new PageGone(normalisedUrl, clock.instant(), "deleted");
    var id = UUID.randomUUID().toString();
    try {
      Traces.part(
          SpanKind.AMQP,
          "publish",
          PageNames.GONE,
          () -> {
            publisher.publish(message(id, PageCodec.encodeGone(gone)));
            return "";
          });
    } catch (AmqpException refused) {
      throw new Unavailable("the broker does not answer", RETRY_AFTER, refused);
    }
  }

  private static OutgoingMessage message(String id, byte[] body) {
    var trace = Traces.header();
    var headers =
        trace == null ? Map.<String, Object>of() : Map.<String, Object>of("traceparent", trace);
    return new OutgoingMessage("", PageNames.GONE, body, headers, id, PageNames.CONTENT_TYPE, null);
  }
}
