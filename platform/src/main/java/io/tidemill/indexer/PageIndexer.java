package io.tidemill.indexer;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.consumer.BatchConsumer;
import io.tidemill.amqp.consumer.BatchPlan;
import io.tidemill.amqp.consumer.BatchSettlement;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageFacts;
import io.tidemill.contract.page.PageNames;
import io.tidemill.lucene.SearchException;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageIndex;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.trace.MessageSamples;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// Takes pages from the queue and acknowledges them when the index has them durably; what can never
/// be a page goes to the dead letters (C4.6).
public final class PageIndexer implements Service {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));

  // Well below the half hour after which brokers lose patience (F42).
  private static final Duration HOLD_AT_MOST = Duration.ofMinutes(5);

  private final PageIndex index;
  private final MessageSamples samples;
  private final Traces traces;
  private final InstantSource clock;
  private final BatchConsumer pages;
  private final BatchConsumer gone;
  private final Services consumers;
  private final ReentrantLock applying = new ReentrantLock();

  public PageIndexer(
      IndexerConfig config,
      AmqpConfig amqp,
      PageIndex index,
      AmqpPublisher deadLetters,
      Traces traces,
      InstantSource clock,
      MeterRegistry metrics) {
    this(config, amqp, index, deadLetters, MessageSamples.off(), traces, clock, metrics);
  }

  /// @param samples are offered every message
  public PageIndexer(
      IndexerConfig config,
      AmqpConfig amqp,
      PageIndex index,
      AmqpPublisher deadLetters,
      MessageSamples samples,
      Traces traces,
      InstantSource clock,
      MeterRegistry metrics) {
    this.index = index;
    this.samples = samples;
    this.traces = traces.of("indexer");
    this.clock = clock;
    pages =
        new BatchConsumer(
            amqp,
            plan(config, PageNames.QUEUE),
            batch -> apply(batch, this::page),
            deadLetters,
            clock,
            metrics);
    gone =
        new BatchConsumer(
            amqp,
            plan(config, PageNames.GONE),
            batch -> apply(batch, this::gone),
            deadLetters,
            clock,
            metrics);
    consumers = new Services(List.of(pages, gone));
  }

  private static BatchPlan plan(IndexerConfig config, String queue) {
    return new BatchPlan(
        queue,
        PageNames.DEAD,
        config.batch(),
        config.linger(),
        config.maxBytes(),
        config.tries(),
        BACKOFF,
        HOLD_AT_MOST);
  }

  @Override
  public String name() {
    return "indexer";
  }

  @Override
  public void start() {
    consumers.start();
  }

  /// Commits the batch at hand; the rest stays in the queue.
  @Override
  public void stop() {
    consumers.close();
  }

  /// Whether pages get from the queue into the index.
  public boolean isHealthy() {
    return pages.isHealthy() && gone.isHealthy();
  }

  /// One line on how it is; throws when pages don't get into the index.
  public String check() {
    var state = pages.check();
    gone.check();
    return state;
  }

  private List<BatchSettlement> apply(
      List<AmqpDelivery> batch, Function<AmqpDelivery, Decoded<PageChange>> decode) {
    var began = System.nanoTime();
    var changes = new ArrayList<PageChange>();
    var settlements = new ArrayList<BatchSettlement>();
    for (var delivery : batch) {
      switch (decode.apply(delivery)) {
        case Decoded.Message(var change) -> {
          changes.add(change);
          settlements.add(BatchSettlement.ACK);
        }
        case Decoded.Malformed(var why) -> settlements.add(new BatchSettlement.Dead(why));
        case Decoded.Unreadable(var why) -> settlements.add(new BatchSettlement.Dead(why));
      }
    }
    var settled = store(changes, settlements);
    trace(batch, settled, began);
    return settled;
  }

  // They were committed together: each of them took as long as all of them.
  private void trace(List<AmqpDelivery> batch, List<BatchSettlement> settled, long began) {
    for (int i = 0; i < batch.size(); i++) {
      var parent = batch.get(i).text("traceparent").orElse(null);
      if (parent == null) continue;
      var error =
          switch (settled.get(i)) {
            case BatchSettlement.Ack _ -> null;
            case BatchSettlement.Retry(var why) -> why;
            case BatchSettlement.Dead(var why) -> why;
          };
      traces.passed(SpanKind.INDEX, "index page", parent, began, error, "batch", "" + batch.size());
    }
  }

  // Acknowledged only behind this (F37).
  private List<BatchSettlement> store(List<PageChange> changes, List<BatchSettlement> settlements) {
    if (changes.isEmpty()) return settlements;
    applying.lock();
    try {
      index.apply(changes);
      return settlements;
    } catch (SearchException notTaken) {
      var retry = new BatchSettlement.Retry(String.valueOf(notTaken.getMessage()));
      settlements.replaceAll(
          settlement -> settlement instanceof BatchSettlement.Ack ? retry : settlement);
      return settlements;
    } finally {
      applying.unlock();
    }
  }

  private Decoded<PageChange> page(AmqpDelivery delivery) {
    samples.offer(PageNames.PAGE, PageNames.QUEUE, delivery.headers(), delivery.body());
    return switch (PageCodec.decode(delivery.body())) {
      case Decoded.Message(var page) ->
          new Decoded.Message<>(
              PageMessageReader.put(
                  page,
                  PageFacts.of(delivery.headers()),
                  Objects.requireNonNullElse(delivery.messageId(), ""),
                  clock.instant()));
      case Decoded.Malformed(var why) -> new Decoded.Malformed<>(why);
      case Decoded.Unreadable(var why) -> new Decoded.Unreadable<>(why);
    };
  }

  private Decoded<PageChange> gone(AmqpDelivery delivery) {
    samples.offer(PageNames.PAGE_GONE, PageNames.GONE, delivery.headers(), delivery.body());
    return switch (PageCodec.decodeGone(delivery.body())) {
      case Decoded.Message(var page) ->
          new Decoded.Message<>(PageMessageReader.remove(page, clock.instant()));
      case Decoded.Malformed(var why) -> new Decoded.Malformed<>(why);
      case Decoded.Unreadable(var why) -> new Decoded.Unreadable<>(why);
    };
  }
}
