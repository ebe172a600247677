package io.tidemill.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.bench.BenchReport.Line;
import io.tidemill.bench.raw.Parallel;
import io.tidemill.bench.raw.RawAmqp;
import io.tidemill.bench.raw.RawHttp;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.contract.page.PageNames;
import io.tidemill.crawler.CrawlerConfig;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jsoup.Jsoup;

/// `bench crawl`: pages a second of the whole crawler, from the request to its response, every page
/// confirmed by the broker; beside what fetching, parsing and publishing alone can do.
public final class CrawlBench {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "crawler.allow-networks", "127.0.0.0/8",
          "crawler.default-delay", "0s",
          "crawler.per-host", "16");
  private static final int DISTINCT_BODIES = 200;

  private final Map<String, String> overrides;
  private final int pages;
  private final int rounds;

  /// @param overrides settings to measure with, those of the crawler
  public CrawlBench(int pages, int rounds, Map<String, String> overrides) {
    this.overrides = Map.copyOf(overrides);
    this.pages = pages;
    this.rounds = rounds;
  }

  /// 20,000 pages three times, or 2,000 once.
  public static CrawlBench of(boolean quick, Map<String, String> overrides) {
    return new CrawlBench(quick ? 2_000 : 20_000, quick ? 1 : 3, overrides);
  }

  /// Runs it.
  public BenchReport run() throws IOException, InterruptedException {
    try (var folder = BenchFolder.make();
        var rig = PageRig.whole(folder.path(), overrides);
        var raw = new RawAmqp(rig.amqpAddress());
        var site = new BenchSite(pages)) {
      var round = new Round(rig, raw, site);
      round.warm();
      var setup = "%,d pages of %,d bytes".formatted(pages, site.page(1).length);
      return BenchReport.of("crawl", setup, rounds, round::lines);
    }
  }

  /// What is measured after one another.
  private final class Round {
    private final PageRig rig;
    private final RawAmqp raw;
    private final BenchSite site;
    private final int connections;
    private final List<byte[]> bodies = new ArrayList<>();
    private double redisMicros;

    Round(PageRig rig, RawAmqp raw, BenchSite site) {
      this.rig = rig;
      this.raw = raw;
      this.site = site;
      connections = rig.settings(DEFAULTS).section(CrawlerConfig.class).perHost();
      for (int i = 0; i < Math.min(pages, DISTINCT_BODIES); i++) bodies.add(body(i));
    }

    private byte[] body(int number) {
      var text = Jsoup.parse(html(number)).text();
      return PageCodec.encode(
          new PageMessage(site.url(number), text, "a page", "", Instant.EPOCH, 200));
    }

    private String html(int number) {
      return new String(site.page(number), UTF_8);
    }

    // The first seconds belong to the compiler.
    void warm() throws IOException, InterruptedException {
      var some = Math.min(pages, 4_000);
      crawl(some, true);
      fetch(some);
      parse(some);
      publish(some);
    }

    List<Line> lines() throws IOException, InterruptedException {
      var fetch = Throughput.of(pages, () -> fetch(pages));
      var parse = Throughput.of(pages, () -> parse(pages));
      var publish = Throughput.of(pages, () -> publish(pages));
      var kept = crawl(pages, true);
      var crawl = crawl(pages, false);
      var memory = Throughput.memory();
      return List.of(
          new Line("pages/s", crawl.perSecond(), parse.perSecond(), "jsoup parse only, all cores"),
          new Line("pages/s", crawl.perSecond(), fetch.perSecond(), "fetched raw"),
          new Line("pages/s", crawl.perSecond(), publish.perSecond(), "raw AMQP confirms"),
          new Line(
              "pages/s, batches kept",
              kept.perSecond(),
              parse.perSecond(),
              "jsoup parse only, all cores"),
          new Line("CPU us/page", crawl.micros(), parse.micros(), "jsoup parse only"),
          new Line(
              "CPU us/page",
              crawl.micros(),
              fetch.micros(),
              "fetched raw, with the site's own cost"),
          new Line(
              "CPU us/page",
              crawl.micros(),
              publish.micros(),
              "raw AMQP confirms, with the broker's own cost"),
          new Line("CPU us/page, batches kept", kept.micros(), parse.micros(), "jsoup parse only"),
          Line.alone("Redis CPU us/page", redisMicros, "the frontier's scripts"),
          Line.alone("memory MB", memory, "with site, Kafka, AMQP and S3 servers"));
    }

    private Throughput crawl(int count, boolean batches) throws IOException, InterruptedException {
      raw.purge(PageNames.QUEUE);
      var defaults = new HashMap<>(DEFAULTS);
      defaults.put("crawler.batches", String.valueOf(batches));
      try (var crawler = new CrawlRig(rig.settings(defaults))) {
        // Once through, so that joining groups and opening connections is not measured.
        crawler.crawl(site.url(pages), 1);
        var cpu = crawler.redisCpu();
        var pace = Throughput.of(count, () -> crawl(crawler, count));
        redisMicros = (crawler.redisCpu() - cpu) * 1e6 / count;
        return pace;
      } finally {
        raw.purge(PageNames.QUEUE);
      }
    }

    private void crawl(CrawlRig crawler, int count) throws IOException, InterruptedException {
      var fetched = crawler.crawl(site.url(0), count);
      if (fetched != count) throw new IOException("%d of %d fetched".formatted(fetched, count));
    }

    private void fetch(int count) throws IOException, InterruptedException {
      var next = new AtomicInteger();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Parallel.run(
            threads,
            connections,
            () -> {
              try (var http = new RawHttp(site.port())) {
                for (int i; (i = next.getAndIncrement()) < count; ) http.get(BenchSite.path(i));
              }
              return null;
            });
      }
    }

    private void parse(int count) throws IOException, InterruptedException {
      onAllCores(count, number -> Jsoup.parse(html(number)));
    }

    private static void onAllCores(int count, IntConsumer work)
        throws IOException, InterruptedException {
      var next = new AtomicInteger();
      var cores = Runtime.getRuntime().availableProcessors();
      try (var threads = Executors.newFixedThreadPool(cores)) {
        Parallel.run(
            threads,
            cores,
            () -> {
              for (int i; (i = next.getAndIncrement()) < count; ) work.accept(i);
              return null;
            });
      }
    }

    private void publish(int count) throws IOException, InterruptedException {
      raw.publish(PageNames.QUEUE, count, i -> bodies.get(i % bodies.size()));
      raw.purge(PageNames.QUEUE);
    }
  }
}
