package io.tidemill.crawler;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.contract.collected.CollectedCodec;
import io.tidemill.contract.collected.CollectedEvent;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.collected.ProjectId;
import io.tidemill.crawl.CrawlRecord;
import io.tidemill.crawl.Frontier;
import io.tidemill.crawl.Frontier.Batch;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import io.tidemill.trace.MessageSamples;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the pages of crawls as batches in the object store and announces each (C5.7).
///
/// Object, event and number of a batch are made from its crawl and its place: done again after a
/// crash, it is the same batch.
public final class BatchUploader implements Service {
  private static final Logger log = LoggerFactory.getLogger(BatchUploader.class);
  private static final String PLATFORM = CollectedNames.WEB;
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Frontier frontier;
  private final ObjectStore blobs;
  private final AmqpPublisher publisher;
  private final MessageSamples samples;
  private final String bucket;
  private final boolean sendsUuids;
  private final Traces traces;
  private final InstantSource clock;
  private final PeriodicTask rounds = new PeriodicTask("batches", INTERVAL, this::keepAll);
  private boolean hasBucket;

  public BatchUploader(
      Frontier frontier,
      ObjectStore blobs,
      AmqpPublisher publisher,
      MessageSamples samples,
      CrawlerConfig config,
      Traces traces,
      InstantSource clock) {
    this.frontier = frontier;
    this.blobs = blobs;
    this.publisher = publisher;
    this.samples = samples;
    this.bucket = config.bucket();
    this.sendsUuids = config.sendsProjectUuids();
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
        if (Thread.interrupted()) throw new InterruptedException("stopped");
      }
    } catch (RedisException | S3Exception | AmqpException later) {
      if (Thread.interrupted()) throw new InterruptedException("stopped");
      log.warn("a batch could not be kept yet: {}", later.getMessage());
      Thread.sleep(PAUSE);
    }
  }

  private void keepTraced(Batch batch) {
    var crawl = frontier.crawl(batch.crawlId());
    traces.inSpan(
        SpanKind.CRAWL,
        "keep batch",
        crawl.map(CrawlRecord::trace).orElse(null),
        () -> {
          Traces.about("crawl", batch.crawlId());
          Traces.note("batch", batch.number());
          Traces.note("pages", batch.pages().size());
          keep(batch, crawl.map(CrawlRecord::answerTrace).orElse(null));
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
            sendsUuids ? ProjectId.of(project(batch)) : project(batch),
            batch.crawlId(),
            PLATFORM,
            bucket + "/" + key,
            batch.pages().size(),
            batch.number());
    var body = CollectedCodec.encode(event);
    var message =
        new OutgoingMessage(
            CollectedNames.EXCHANGE,
            CollectedNames.ROUTING_KEY,
            body,
            headers(project(batch), trace),
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

  private Map<String, Object> headers(String project, @Nullable String trace) {
    var headers = new HashMap<String, Object>();
    if (sendsUuids) headers.put(CollectedNames.PROJECT_HEADER, project);
    if (trace != null) headers.put("traceparent", trace);
    return headers;
  }

  private static String project(Batch batch) {
    return batch.project().isEmpty() ? PLATFORM : batch.project();
  }

  private static String eventId(Batch batch) {
    var name = batch.crawlId() + "/" + batch.number();
    return "evt_" + UUID.nameUUIDFromBytes(name.getBytes(UTF_8));
  }
}
