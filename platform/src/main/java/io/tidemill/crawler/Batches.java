package io.tidemill.crawler;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.broker.amqp.AmqpException;
import io.tidemill.broker.amqp.Outgoing;
import io.tidemill.broker.amqp.Publisher;
import io.tidemill.contract.collected.CollectedCodec;
import io.tidemill.contract.collected.CollectedEvent;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.service.Rounds;
import io.tidemill.service.Service;
import io.tidemill.store.blob.BlobException;
import io.tidemill.store.blob.Blobs;
import io.tidemill.store.redis.Frontier;
import io.tidemill.store.redis.Frontier.Batch;
import io.tidemill.store.redis.StoreException;
import io.tidemill.store.redis.WireSamples;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the pages of crawls as batches in the object store and announces each (C5.7).
///
/// Object, event and number of a batch are made from its crawl and its place: done again after a
/// crash, it is the same batch.
public final class Batches implements Service {
  private static final Logger log = LoggerFactory.getLogger(Batches.class);
  private static final String PLATFORM = CollectedNames.WEB;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Frontier frontier;
  private final Blobs blobs;
  private final Publisher publisher;
  private final WireSamples samples;
  private final String bucket;
  private final Traces traces;
  private final InstantSource clock;
  private final Rounds rounds = new Rounds("batches", LOOK, this::keepAll);
  private boolean hasBucket;

  public Batches(
      Frontier frontier,
      Blobs blobs,
      Publisher publisher,
      WireSamples samples,
      CrawlerConfig config,
      Traces traces,
      InstantSource clock) {
    this.frontier = frontier;
    this.blobs = blobs;
    this.publisher = publisher;
    this.samples = samples;
    this.bucket = config.bucket();
    this.traces = traces;
    this.clock = clock;
  }

  @Override
  public String name() {
    return rounds.name();
  }

  @Override
  public void start() {
    rounds.start();
  }

  @Override
  public void stop() {
    rounds.stop();
  }

  private void keepAll() throws InterruptedException {
    try {
      for (var next = frontier.batch(); next.isPresent(); next = frontier.batch()) {
        keepTraced(next.get());
        if (Thread.interrupted()) throw new InterruptedException("told to stop");
      }
    } catch (StoreException | BlobException | AmqpException later) {
      if (Thread.interrupted()) throw new InterruptedException("told to stop");
      log.warn("a batch could not be kept yet: {}", later.getMessage());
      Thread.sleep(PAUSE);
    }
  }

  private void keepTraced(Batch batch) {
    var crawl = frontier.crawl(batch.crawlId());
    var trace = CrawlPlan.of(batch.crawlId(), crawl).map(CrawlPlan::trace).orElse(null);
    traces.inSpan(
        SpanKind.CRAWL,
        "keep batch",
        trace,
        () -> {
          Traces.about("crawl", batch.crawlId());
          Traces.note("batch", batch.number());
          Traces.note("pages", batch.pages().size());
          keep(batch, CrawlPlan.answerTrace(crawl));
          return "";
        });
  }

  private void keep(Batch batch, @Nullable String trace) {
    var key = CollectedNames.batch(project(batch), batch.crawlId(), batch.number());
    var items = "[" + String.join(",", batch.pages()) + "]";
    if (!hasBucket) {
      blobs.createBucketIfMissing(bucket);
      hasBucket = true;
    }
    blobs.put(bucket, key, items.getBytes(UTF_8), "application/json", Map.of());
    var event =
        new CollectedEvent(
            eventId(batch),
            clock.instant(),
            project(batch),
            batch.crawlId(),
            PLATFORM,
            bucket + "/" + key,
            batch.pages().size(),
            batch.number());
    var body = CollectedCodec.encode(event);
    var message =
        new Outgoing(
            CollectedNames.EXCHANGE,
            CollectedNames.ROUTING_KEY,
            body,
            trace == null ? Map.of() : Map.of("traceparent", trace),
            event.eventId(),
            "application/json",
            null);
    Traces.part(
        SpanKind.AMQP,
        "publish",
        CollectedNames.ROUTING_KEY,
        () -> {
          publisher.publish(message);
          return "";
        });
    samples.offer(CollectedNames.EVENT, CollectedNames.QUEUE, Map.of(), body);
    frontier.kept(batch);
  }

  private static String project(Batch batch) {
    return batch.project().isEmpty() ? PLATFORM : batch.project();
  }

  private static String eventId(Batch batch) {
    var name = batch.crawlId() + "/" + batch.number();
    return "evt_" + UUID.nameUUIDFromBytes(name.getBytes(UTF_8));
  }
}
