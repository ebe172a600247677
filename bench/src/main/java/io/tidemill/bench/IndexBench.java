package io.tidemill.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.bench.BenchReport.Line;
import io.tidemill.bench.raw.RawLucene;
import io.tidemill.contract.page.PageNames;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.indexer.IndexerRole;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchConfig;
import io.tidemill.trace.MessageSamples;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/// `bench index`: pages a second from the queue into the index and acknowledged, beside Lucene
/// alone with as many commits.
public final class IndexBench {
  private final Map<String, String> overrides;
  private final List<PageDocument> pages;
  private final int rounds;

  /// @param overrides settings to measure with, those of indexer and search
  public IndexBench(int pages, int rounds, Map<String, String> overrides) {
    this.overrides = Map.copyOf(overrides);
    this.pages = SamplePages.make(pages);
    this.rounds = rounds;
  }

  /// 10,000 pages three times, or 3,000 once.
  public static IndexBench of(boolean quick, Map<String, String> overrides) {
    return new IndexBench(quick ? 3_000 : 10_000, quick ? 1 : 3, overrides);
  }

  /// Runs it.
  public BenchReport run() throws IOException, InterruptedException {
    try (var folder = BenchFolder.make();
        var rig = PageRig.queues(folder.path(), overrides)) {
      var some = pages.subList(0, Math.min(pages.size(), 3_000));
      index(rig, some);
      raw(some, 2, 100);
      var setup = "%,d pages of 13 KB".formatted(pages.size());
      return BenchReport.of("index", setup, rounds, () -> lines(rig));
    }
  }

  private List<Line> lines(PageRig rig) throws IOException, InterruptedException {
    var together = rig.settings().section(IndexerConfig.class).batch();
    var one = raw(pages, 1, together);
    var two = raw(pages, 2, together);
    var ours = index(rig, pages);
    return List.of(
        new Line("pages/s", ours.perSecond(), two.perSecond(), "Lucene alone, two threads"),
        new Line("pages/s", ours.perSecond(), one.perSecond(), "Lucene alone, one thread"),
        new Line(
            "CPU us/page",
            ours.micros(),
            one.micros(),
            "Lucene alone; ours with the broker's own cost"),
        Line.alone("memory MB", Throughput.memory(), "with the AMQP server"));
  }

  private static Throughput raw(List<PageDocument> pages, int threads, int together)
      throws IOException, InterruptedException {
    try (var folder = BenchFolder.make();
        var lucene = new RawLucene(folder.path(), threads)) {
      return Throughput.of(pages.size(), () -> lucene.write(pages, together));
    }
  }

  private static Throughput index(PageRig rig, List<PageDocument> pages)
      throws IOException, InterruptedException {
    var settings = rig.settings();
    var amqp = settings.section(AmqpConfig.class);
    var metrics = new SimpleMeterRegistry();
    try (var folder = BenchFolder.make();
        var publisher = new AmqpPublisher(amqp, metrics)) {
      publish(publisher, pages);
      var indexer =
          new IndexerRole(
              new IndexerRole.Config(
                  settings.section(IndexerConfig.class),
                  settings.section(SearchConfig.class),
                  folder.path()),
              amqp,
              null,
              null,
              MessageSamples.off(),
              new Traces(ObserveConfig.standard()),
              metrics,
              InstantSource.system());
      var pace = Throughput.of(pages.size(), () -> work(indexer, metrics, pages.size()));
      indexer.stop();
      return pace;
    }
  }

  private static void publish(AmqpPublisher publisher, List<PageDocument> pages) {
    var sent = new ArrayList<CompletableFuture<Void>>();
    for (var page : pages) {
      sent.add(publisher.send(message(page)));
    }
    sent.forEach(CompletableFuture::join);
  }

  static OutgoingMessage message(PageDocument page) {
    return new OutgoingMessage(
        "",
        PageNames.QUEUE,
        SamplePages.body(page),
        SamplePages.facts(page).headers(),
        page.url(),
        PageNames.CONTENT_TYPE,
        null);
  }

  private static void work(IndexerRole indexer, SimpleMeterRegistry metrics, int count)
      throws IOException {
    var acknowledged = metrics.counter("amqp.settled", "queue", PageNames.QUEUE, "as", "ack");
    var patience = System.nanoTime() + 600_000_000_000L;
    indexer.start();
    while (acknowledged.count() < count) {
      if (System.nanoTime() > patience) throw new IOException("the indexer gets no further");
      LockSupport.parkNanos(1_000_000);
    }
  }
}
