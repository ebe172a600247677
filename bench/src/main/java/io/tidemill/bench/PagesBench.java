package io.tidemill.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.amqp.consumer.MessageConsumer;
import io.tidemill.amqp.consumer.MessagePlan;
import io.tidemill.bench.BenchReport.Line;
import io.tidemill.bench.raw.RawAmqp;
import io.tidemill.contract.page.PageNames;
import io.tidemill.work.Settlement;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// `bench pages`: pages a second through the AMQP broker, confirmed on their way in and
/// acknowledged on their way out, beside the client library alone; and items of collected batches a
/// second into the analytics database.
public final class PagesBench {
  private static final int DISTINCT_BODIES = 200;
  private static final int PAGES_A_BATCH = 100;

  private final Map<String, String> overrides;
  private final List<byte[]> bodies;
  private final int count;
  private final int rounds;

  public PagesBench(int count, int rounds, Map<String, String> overrides) {
    this.overrides = Map.copyOf(overrides);
    this.count = count;
    this.rounds = rounds;
    bodies = SamplePages.make(DISTINCT_BODIES).stream().map(SamplePages::body).toList();
  }

  /// 20,000 pages five times, or 4,000 once.
  public static PagesBench of(boolean quick, Map<String, String> overrides) {
    return new PagesBench(quick ? 4_000 : 20_000, quick ? 1 : 5, overrides);
  }

  /// Runs it.
  public BenchReport run() throws IOException, InterruptedException {
    try (var folder = BenchFolder.make();
        var rig = PageRig.collecting(folder.path(), overrides);
        var raw = new RawAmqp(rig.amqpAddress());
        var collected = new CollectedBench(folder.path(), rig, count / PAGES_A_BATCH)) {
      var amqp = rig.settings().section(AmqpConfig.class);
      lines(amqp, raw); // the first seconds belong to the compiler
      collected.line();
      var setup =
          "%,d pages of 13 KB; %,d batches of 50 items".formatted(count, count / PAGES_A_BATCH);
      return BenchReport.of(
          "pages",
          setup,
          rounds,
          () -> {
            var lines = new ArrayList<>(lines(amqp, raw));
            lines.add(collected.line());
            return lines;
          });
    }
  }

  private List<Line> lines(AmqpConfig amqp, RawAmqp raw) throws IOException, InterruptedException {
    var rawIn = Throughput.of(count, () -> raw.publish(PageNames.QUEUE, count, this::body));
    var rawOut = Throughput.of(count, () -> raw.consume(PageNames.QUEUE, count));
    var metrics = new SimpleMeterRegistry();
    try (var publisher = new AmqpPublisher(amqp, metrics)) {
      publisher.publish(message(0)); // connected
      var in = Throughput.of(count, () -> publish(publisher));
      var out = Throughput.of(count, () -> consume(amqp, publisher, metrics));
      return List.of(
          new Line(
              "confirmed pages/s", in.perSecond(), rawIn.perSecond(), "confirms in a pipeline"),
          new Line(
              "acknowledged pages/s",
              out.perSecond(),
              rawOut.perSecond(),
              "a hundred acknowledged at once"),
          new Line(
              "CPU us/page in", in.micros(), rawIn.micros(), "both with the broker's own cost"),
          new Line(
              "CPU us/page out", out.micros(), rawOut.micros(), "both with the broker's own cost"));
    }
  }

  private byte[] body(int number) {
    return bodies.get(number % bodies.size());
  }

  private OutgoingMessage message(int number) {
    return new OutgoingMessage(
        "", PageNames.QUEUE, body(number), Map.of(), null, PageNames.CONTENT_TYPE, null);
  }

  private void publish(AmqpPublisher publisher) {
    var sent = new ArrayList<CompletableFuture<Void>>();
    for (int i = 1; i < count; i++) sent.add(publisher.send(message(i)));
    sent.forEach(CompletableFuture::join);
  }

  private void consume(AmqpConfig amqp, AmqpPublisher publisher, SimpleMeterRegistry metrics)
      throws IOException, InterruptedException {
    var left = new CountDownLatch(count);
    var consumer =
        new MessageConsumer(
            amqp,
            MessagePlan.batches(PageNames.QUEUE, PageNames.DEAD),
            (batch, _) -> {
              batch.forEach(_ -> left.countDown());
              return Collections.nCopies(batch.size(), Settlement.DONE);
            },
            publisher,
            InstantSource.system(),
            metrics);
    consumer.start();
    try {
      if (!left.await(2, TimeUnit.MINUTES)) throw new IOException("the consumer gets no further");
    } finally {
      consumer.stop();
    }
  }
}
