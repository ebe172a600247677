package io.tidemill.gateway;

import io.tidemill.broker.amqp.AmqpException;
import io.tidemill.broker.amqp.Outgoing;
import io.tidemill.broker.amqp.Publisher;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageGone;
import io.tidemill.contract.page.PageNames;
import io.tidemill.http.Unavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;

/// Removals go to whoever keeps the index, by the queue of gone pages.
public final class QueuedRemovals implements PageRemovals {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private final Publisher publisher;
  private final InstantSource clock;

  public QueuedRemovals(Publisher publisher, InstantSource clock) {
    this.publisher = publisher;
    this.clock = clock;
  }

  @Override
  public void remove(String normalisedUrl) {
    var gone = new PageGone(normalisedUrl, clock.instant(), "deleted");
    var id = UUID.randomUUID().toString();
    try {
      publisher.publish(
          new Outgoing(
              "",
              PageNames.GONE,
              PageCodec.encodeGone(gone),
              Map.of(),
              id,
              PageNames.CONTENT_TYPE,
              null));
    } catch (AmqpException refused) {
      throw new Unavailable("the broker does not answer", RETRY_AFTER, refused);
    }
  }
}
