package io.tidemill.indexer;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.consumer.MessageConsumer;
import io.tidemill.amqp.consumer.MessagePlan;
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
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// Consumes pages and acknowledges them when the index has stored them durably; what can never be a
/// page goes to the dead letters (C4.6).
public final class PageIndexer implements Service {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));

  // Well below the 30 minutes after which brokers redeliver (F42).
  private static final Duration MAX_HOLD = Duration.ofMinutes(5);

  private final PageIndex index;
  private final MessageSamples samples;
  private final Traces traces;
  private final InstantSource clock;
  private final MessageConsumer pages;
  private final MessageConsumer gone;
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

  /// @param samples receives every message
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
        new MessageConsumer(
            amqp,
            plan(config, PageNames.QUEUE),
            (batch, _) -> apply(batch, this::page),
            deadLetters,
            clock,
            metrics);
    gone =
        new MessageConsumer(
            amqp,
            plan(config, PageNames.GONE),
            (batch, _) -> apply(batch, this::gone),
            deadLetters,
            clock,
            metrics);
    consumers = new Services(List.of(pages, gone));
  }

  private static MessagePlan plan(IndexerConfig config, String queue) {
    return new MessagePlan(
        queue,
        PageNames.DEAD,
        new MessagePlan.Batch(config.batch(), config.linger(), config.maxBytes()),
        config.tries(),
        BACKOFF,
        new MessagePlan.Held(MAX_HOLD));
  }

  @Override
  public String name() {
    return "indexer";
  }

  @Override
  public void start() {
    consumers.start();
  }

  /// Commits the current batch; the rest stays in the queue.
  @Override
  public void stop() {
    consumers.close();
  }

  public boolean isHealthy() {
    return pages.isHealthy() && gone.isHealthy();
  }

  /// Its state in one line; throws when pages don't get into the index.
  public String check() {
    var state = pages.check();
    gone.check();
    return state;
  }

  private List<Settlement> apply(
      List<AmqpDelivery> batch, Function<AmqpDelivery, Decoded<PageChange>> decode) {
    var began = System.nanoTime();
    var changes = new ArrayList<PageChange>();
    var settlements = new ArrayList<Settlement>();
    for (var delivery : batch) {
      switch (decode.apply(delivery)) {
        case Decoded.Message(var change) -> {
          changes.add(change);
          settlements.add(Settlement.DONE);
        }
        case Decoded.Malformed(var why) -> settlements.add(new Settlement.DeadLetter(why));
        case Decoded.Unreadable(var why) -> settlements.add(new Settlement.DeadLetter(why));
      }
    }
    var settled = store(changes, settlements);
    trace(batch, settled, began);
    return settled;
  }

  // A batch is committed at once: each page took as long as the batch.
  private void trace(List<AmqpDelivery> batch, List<Settlement> settled, long began) {
    for (int i = 0; i < batch.size(); i++) {
      var parent = batch.get(i).text("traceparent").orElse(null);
      if (parent == null) continue;
      var settlement = settled.get(i);
      var error = settlement instanceof Settlement.Done ? null : settlement.why();
      traces.passed(SpanKind.INDEX, "index page", parent, began, error, "batch", "" + batch.size());
    }
  }

  // Pages are acknowledged only after this (F37).
  private List<Settlement> store(List<PageChange> changes, List<Settlement> settlements) {
    if (changes.isEmpty()) return settlements;
    applying.lock();
    try {
      index.apply(changes);
      return settlements;
    } catch (SearchException failed) {
      // The consumer finds out whether the index or one of the pages is at fault.
      var defer = new Settlement.Defer(String.valueOf(failed.getMessage()));
      settlements.replaceAll(
          settlement -> settlement instanceof Settlement.Done ? defer : settlement);
      return settlements;
    } finally {
      applying.unlock();
    }
  }

  private Decoded<PageChange> page(AmqpDelivery delivery) {
    samples.offer(PageNames.PAGE, PageNames.QUEUE, delivery.headers(), delivery.body());
    return change(
        PageCodec.decode(delivery.body()),
        page ->
            PageMessageReader.put(
                page,
                PageFacts.of(delivery.headers()),
                Objects.requireNonNullElse(delivery.messageId(), ""),
                clock.instant()));
  }

  private Decoded<PageChange> gone(AmqpDelivery delivery) {
    samples.offer(PageNames.PAGE_GONE, PageNames.GONE, delivery.headers(), delivery.body());
    return change(
        PageCodec.decodeGone(delivery.body()),
        page -> PageMessageReader.remove(page, clock.instant()));
  }

  private static <T> Decoded<PageChange> change(
      Decoded<T> decoded, Function<T, PageChange> change) {
    return switch (decoded) {
      case Decoded.Message<T>(var message) -> new Decoded.Message<>(change.apply(message));
      case Decoded.Malformed<T>(var why) -> new Decoded.Malformed<>(why);
      case Decoded.Unreadable<T>(var why) -> new Decoded.Unreadable<>(why);
    };
  }
}
