package io.tidemill.bench;

import io.tidemill.bench.BenchReport.Line;
import io.tidemill.bench.raw.RawHttp;
import io.tidemill.bench.raw.RawLucene;
import io.tidemill.bench.raw.RawSearch;
import io.tidemill.config.Settings;
import io.tidemill.gateway.search.SearchRoutes;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.query.PageSearch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// `bench search`: how long one search takes, alone and through HTTP, beside Lucene with the same
/// words; one after the other, each query by all of them in turn.
public final class SearchBench {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final int TOGETHER = 500;

  private final Map<String, String> overrides;
  private final int pages;
  private final int queries;
  private final int rounds;

  /// @param overrides settings to measure with, those of search
  public SearchBench(int pages, int queries, int rounds, Map<String, String> overrides) {
    this.overrides = Map.copyOf(overrides);
    this.pages = pages;
    this.queries = queries;
    this.rounds = rounds;
  }

  /// 20,000 pages and 2,000 searches three times, or 5,000 and 500 once.
  public static SearchBench of(boolean quick, Map<String, String> overrides) {
    return quick
        ? new SearchBench(5_000, 500, 1, overrides)
        : new SearchBench(20_000, 2_000, 3, overrides);
  }

  /// Runs it.
  public BenchReport run() throws IOException, InterruptedException {
    try (var ours = BenchFolder.make();
        var raw = BenchFolder.make()) {
      var settings = settings();
      var search = settings.section(SearchConfig.class);
      fill(ours.path(), raw.path(), search);
      try (var pageSearch = new PageSearch(ours.path(), search, CLOCK);
          var lucene = new RawSearch(raw.path());
          var metrics = new Metrics();
          var traces = new Traces(settings.section(ObserveConfig.class))) {
        var server =
            new HttpServer(
                settings.section(HttpConfig.class),
                settings.section(ApiConfig.class),
                List.of(new SearchRoutes(pageSearch, search)),
                metrics,
                traces,
                CLOCK);
        server.start();
        try (var http = new RawHttp(server.port())) {
          return measure(pageSearch, lucene, http);
        } finally {
          server.stop();
        }
      }
    }
  }

  private Settings settings() {
    var values = BenchSettings.chosen(overrides, "search.");
    values.put("http.port", "0");
    return BenchSettings.load(
        values,
        List.of(SearchConfig.class, HttpConfig.class, ApiConfig.class, ObserveConfig.class));
  }

  private void fill(Path ours, Path raw, SearchConfig config)
      throws IOException, InterruptedException {
    var documents = SamplePages.make(pages);
    try (var lucene = new RawLucene(raw, 2)) {
      lucene.write(documents, TOGETHER);
    }
    try (var index = new LuceneIndex(ours, config, CLOCK)) {
      for (int start = 0; start < pages; start += TOGETHER) {
        index.apply(puts(documents.subList(start, Math.min(pages, start + TOGETHER))));
      }
    }
  }

  private static List<PageChange> puts(List<PageDocument> pages) {
    return pages.stream().<PageChange>map(PageChange.Put::new).toList();
  }

  // One to three words, common ones and rare ones.
  private List<String> words() {
    var prose = new ProseGenerator(13);
    var all = new ArrayList<String>();
    for (int i = 0; i < queries; i++) {
      all.add(
          switch (i % 4) {
            case 0 -> prose.rare();
            case 1 -> prose.word() + " " + prose.rare();
            case 2 -> prose.rare() + " " + prose.rare();
            default -> prose.word() + " " + prose.rare() + " " + prose.word();
          });
    }
    return all;
  }

  private BenchReport measure(PageSearch pageSearch, RawSearch lucene, RawHttp http)
      throws IOException, InterruptedException {
    var words = words();
    lines(words, pageSearch, lucene, http); // to let the compiler finish
    var setup = "%,d pages of 13 KB, %,d searches".formatted(pages, queries);
    return BenchReport.of("search", setup, rounds, () -> lines(words, pageSearch, lucene, http));
  }

  private static List<Line> lines(
      List<String> words, PageSearch pageSearch, RawSearch lucene, RawHttp http)
      throws IOException {
    var ours = new Times(words.size());
    var raw = new Times(words.size());
    var web = new Times(words.size());
    for (var query : words) {
      raw.begin();
      lucene.search(query);
      raw.end();
      ours.begin();
      pageSearch.search(SearchQuery.of(query));
      ours.end();
      var path = "/api/search?q=" + query.replace(' ', '+');
      web.begin();
      if (http.get(path) != 200) throw new IOException("search was not answered");
      web.end();
    }
    return List.of(
        new Line("p50 ms", ours.millis(50), raw.millis(50), "Lucene alone"),
        new Line("p99 ms", ours.millis(99), raw.millis(99), "Lucene alone"),
        new Line(
            "CPU us/search", ours.micros(), raw.micros(), "Lucene alone, no snippets or facets"),
        new Line("searches/s, one thread", ours.perSecond(), raw.perSecond(), "Lucene alone"),
        new Line("p50 ms through HTTP", web.millis(50), raw.millis(50), "Lucene alone"),
        new Line("p99 ms through HTTP", web.millis(99), raw.millis(99), "Lucene alone"),
        new Line("searches/s through HTTP", web.perSecond(), raw.perSecond(), "Lucene alone"));
  }

  /// How long each took.
  private static final class Times {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final long[] nanos;
    private int count;
    private long began;
    private long cpu;

    Times(int most) {
      nanos = new long[most];
    }

    void begin() {
      cpu -= THREADS.getCurrentThreadCpuTime();
      began = System.nanoTime();
    }

    void end() {
      nanos[count++] = System.nanoTime() - began;
      cpu += THREADS.getCurrentThreadCpuTime();
    }

    /// CPU of this thread for each.
    double micros() {
      return cpu / 1e3 / count;
    }

    double millis(int percent) {
      var sorted = nanos.clone();
      Arrays.sort(sorted);
      return sorted[Math.min(count - 1, count * percent / 100)] / 1e6;
    }

    double perSecond() {
      return count / (Arrays.stream(nanos).sum() / 1e9);
    }
  }
}
