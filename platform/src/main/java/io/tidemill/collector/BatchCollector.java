package io.tidemill.collector;

import static java.util.Objects.requireNonNull;

import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.consumer.MessageHandler;
import io.tidemill.analytics.AnalyticsException;
import io.tidemill.analytics.BatchStore;
import io.tidemill.analytics.BatchStore.StoredBatch;
import io.tidemill.analytics.BatchWriter;
import io.tidemill.analytics.CollectedBatch;
import io.tidemill.collector.BatchReader.Entry;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.collected.Collected;
import io.tidemill.contract.collected.CollectedCodec;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.json.Json;
import io.tidemill.observe.LogContext;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import io.tidemill.trace.MessageSamples;
import io.tidemill.work.Settlement;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the batch that a message announces, and decides how the message is settled (C5.2).
final class BatchCollector implements MessageHandler {
  private static final Logger log = LoggerFactory.getLogger(BatchCollector.class);
  private static final int LONGEST_FIELD = 255;

  /// The items of a batch.
  @FunctionalInterface
  private interface BatchItems {
    /// Null after the last one.
    @Nullable Entry next() throws BatchException;
  }

  private final CollectorConfig config;
  private final ObjectStore blobs;
  private final BatchStore store;
  private final PostAnalyzer analysis;
  private final ResultPublisher results;
  private final CollectorMeters meters;
  private final MessageSamples samples;
  private final Traces traces;
  private final InstantSource clock;

  BatchCollector(
      CollectorConfig config,
      ObjectStore blobs,
      BatchStore store,
      PostAnalyzer analysis,
      ResultPublisher results,
      CollectorMeters meters,
      MessageSamples samples,
      Traces traces,
      InstantSource clock) {
    this.config = config;
    this.blobs = blobs;
    this.store = store;
    this.analysis = analysis;
    this.results = results;
    this.meters = meters;
    this.samples = samples;
    this.traces = traces;
    this.clock = clock;
  }

  @Override
  public List<Settlement> handle(List<AmqpDelivery> batch, LogContext context) {
    return batch.stream().map(delivery -> handle(delivery, context)).toList();
  }

  private Settlement handle(AmqpDelivery delivery, LogContext context) {
    var trace = delivery.text("traceparent").orElse(null);
    return traces.inSpan(SpanKind.AMQP, "collect batch", trace, () -> handled(delivery, context));
  }

  private Settlement handled(AmqpDelivery delivery, LogContext context) {
    var settlement = settlement(delivery, context);
    if (!(settlement instanceof Settlement.Done)) Traces.fail(settlement.why());
    return settlement;
  }

  private Settlement settlement(AmqpDelivery delivery, LogContext context) {
    return switch (CollectedCodec.read(delivery.body())) {
      case Decoded.Unreadable(var why) -> {
        log.error("parsing error: {}", why);
        meters.count("unreadable", "", "dead");
        yield new Settlement.DeadLetter(why);
      }
      case Decoded.Malformed(var why) -> {
        addKnownFields(delivery.body(), context);
        log.error("validation error: {}", why);
        meters.count("malformed", "", "retry");
        yield new Settlement.Retry(why);
      }
      case Decoded.Message(var collected) -> collect(collected, delivery, context);
    };
  }

  // A malformed message may have some of the fields (C5.4).
  private static void addKnownFields(byte[] body, LogContext context) {
    var tree = Json.parse(body);
    for (var field : List.of("event_id", "project_id", "job_id", "batch_index")) {
      var value = tree.path(field.equals("event_id") ? field : "payload");
      if (!field.equals("event_id")) value = value.path(field);
      if (value.isValueNode() && !value.isNull()) {
        var text = value.asString();
        context.add(field, text.substring(0, Math.min(text.length(), LONGEST_FIELD)));
      }
    }
  }

  private static String kind(Collected collected) {
    return switch (collected) {
      case Collected.Event _ -> CollectedNames.EVENT;
      case Collected.Legacy _ -> CollectedNames.LEGACY;
      case Collected.Inline _ -> CollectedNames.INLINE;
    };
  }

  private Settlement collect(Collected collected, AmqpDelivery delivery, LogContext context) {
    samples.offer(kind(collected), CollectedNames.QUEUE, delivery.headers(), delivery.body());
    var announced = BatchAnnouncement.of(collected, delivery);
    context.add("event_id", announced.eventId()); // C5.4
    context.add("project_id", announced.project());
    context.add("job_id", announced.jobId());
    context.add("batch_index", String.valueOf(announced.index()));
    Traces.note("project", announced.project());
    Traces.note("batch", announced.index());
    var settlement = settlement(announced, collected);
    if (!(settlement instanceof Settlement.Done)) {
      var outcome = settlement instanceof Settlement.DeadLetter ? "dead" : "retry";
      meters.count(announced.format(), announced.platform(), outcome);
    }
    return settlement;
  }

  private Settlement settlement(BatchAnnouncement announced, Collected collected) {
    try {
      store(announced, collected);
      return Settlement.DONE;
    } catch (BatchException broken) {
      return broken.isFinal()
          ? new Settlement.DeadLetter(text(broken))
          : new Settlement.Retry(text(broken));
    } catch (S3Exception failed) {
      return failed.isTransient() || failed.isCredentialError()
          ? new Settlement.Defer(text(failed))
          : new Settlement.Retry(text(failed));
    } catch (AnalyticsException failed) {
      return failed.isPassing()
          ? new Settlement.Defer(text(failed))
          : new Settlement.Retry(text(failed));
    } catch (AmqpException failed) {
      return new Settlement.Defer("the result can't be published: " + text(failed));
    } catch (IOException failed) {
      return new Settlement.Retry(text(failed));
    }
  }

  private static String text(Exception failed) {
    return String.valueOf(failed.getMessage());
  }

  private void store(BatchAnnouncement announced, Collected collected)
      throws IOException, BatchException {
    if (collected instanceof Collected.Inline inline) {
      var at = announced.at() == null ? clock.instant() : announced.at();
      var posts = inline.posts().iterator();
      store(
          announced,
          batch(announced, announced.key(), "", "", at),
          () -> posts.hasNext() ? new Entry.Good(posts.next()) : null);
      return;
    }
    var object = requireNonNull(announced.object());
    var bucket = object.bucket();
    if (bucket.isEmpty()) {
      bucket = config.bucket();
      log.warn("minio_path '{}' names no bucket: taken from {}", object.path(), bucket);
    }
    try (var bytes = blobs.open(bucket, object.path())) {
      var info = bytes.info();
      if (info.size() > config.maxBytes().bytes()) {
        throw BatchException.permanent(
            "the batch has %d bytes: expected at most %d"
                .formatted(info.size(), config.maxBytes().bytes()));
      }
      var at = announced.at() == null ? info.modifiedAt() : announced.at();
      var batch = batch(announced, info.etag(), bucket, object.path(), at);
      try (var reader = new BatchReader(bytes, config.maxBytes().bytes())) {
        store(announced, batch, () -> next(reader));
      }
    }
  }

  // An object that can be opened and not read may stay so: it counts as an attempt.
  private static @Nullable Entry next(BatchReader reader) throws BatchException {
    try {
      return reader.next();
    } catch (S3Exception cut) {
      throw BatchException.broken(text(cut));
    }
  }

  private static CollectedBatch batch(
      BatchAnnouncement announced, String etag, String bucket, String path, Instant at) {
    return new CollectedBatch(
        announced.key(),
        etag,
        announced.format(),
        announced.eventId(),
        announced.project(),
        announced.jobId(),
        announced.platform(),
        announced.index(),
        bucket,
        path,
        announced.contentCount(),
        at);
  }

  private void store(BatchAnnouncement announced, CollectedBatch batch, BatchItems entries)
      throws BatchException {
    var known = store.find(batch.key()).filter(found -> found.etag().equals(batch.etag()));
    if (known.isPresent()) {
      skipKnownBatch(announced, batch, known.get());
      return;
    }
    Optional<StoredBatch> stored;
    var run = new BatchRun(announced, analysis);
    try (var writer = store.begin(batch)) {
      Traces.part(SpanKind.DB, "load and analyse", () -> fill(writer, run, entries));
      stored = Traces.part(SpanKind.DB, "commit", writer::commit);
    }
    if (stored.isEmpty()) { // another process was faster
      skipKnownBatch(announced, batch, store.find(batch.key()).orElseThrow());
      return;
    }
    meters.count(announced.format(), announced.platform(), "stored");
    meters.items(stored.get());
    var expected = announced.contentCount();
    if (expected != null && expected != run.count()) {
      log.warn("content_count is {}, and the batch has {} items", expected, run.count());
    }
    log.info(
        "stored {} items of {}/{}, {} failed",
        stored.get().items(),
        batch.bucket(),
        batch.path(),
        stored.get().failed());
    results.publish(announced.projectForOthers(), batch, stored.get());
  }

  private long fill(BatchWriter writer, BatchRun run, BatchItems entries) throws BatchException {
    var deadline = System.nanoTime() + config.maxTime().toNanos();
    for (var entry = entries.next(); entry != null; entry = entries.next()) {
      run.add(entry, writer);
      if (System.nanoTime() - deadline > 0) {
        throw BatchException.broken("the batch took longer than " + config.maxTime());
      }
    }
    run.requireItems();
    Traces.note("items", run.count());
    return run.count();
  }

  private void skipKnownBatch(
      BatchAnnouncement announced, CollectedBatch batch, StoredBatch stored) {
    log.info("the batch is stored already");
    meters.count(announced.format(), announced.platform(), "known");
    results.publish(announced.projectForOthers(), batch, stored);
  }
}
