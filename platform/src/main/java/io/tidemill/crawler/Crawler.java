package io.tidemill.crawler;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpException;
import io.tidemill.crawl.Frontier;
import io.tidemill.crawl.Frontier.VisitReceipt;
import io.tidemill.crawl.FrontierLink;
import io.tidemill.crawl.PageLease;
import io.tidemill.crawl.PageTransition;
import io.tidemill.crawl.VisitOutcome;
import io.tidemill.crawl.VisitResult;
import io.tidemill.crawl.VisitResult.Kind;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.observe.LogContext;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.service.Service;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The crawler role: takes pages from the frontier, visits them on virtual threads and records how
/// the visits end. Pages of a crawler that dies go to others.
public final class Crawler implements Service {
  private static final Logger log = LoggerFactory.getLogger(Crawler.class);
  private static final int MOST_AT_ONCE = 64;
  private static final int MOST_CRAWLS = 1_000;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

  /// A crawl as this process knows it.
  private record Known(CrawlPlan plan, CrawlMemory memory) {}

  private final CrawlerConfig config;
  private final PageTransition transition;
  private final Frontier frontier;
  private final PageVisit visits;
  private final CrawlFinisher finisher;
  private final TrapConfig traps;
  private final Traces traces;
  private final MeterRegistry metrics;

  private final Semaphore slots;
  private final Semaphore news = new Semaphore(0);
  private final Map<PageLease, Thread> active = new ConcurrentHashMap<>();
  private final Cache<String, Known> crawls =
      Caffeine.newBuilder()
          .maximumSize(MOST_CRAWLS)
          .expireAfterAccess(Duration.ofMinutes(10))
          .build();
  private final Thread taker;
  private final Thread keeper;
  private volatile boolean stopping;

  Crawler(
      CrawlerConfig config,
      Frontier frontier,
      PageVisit visits,
      CrawlFinisher finisher,
      TrapConfig traps,
      Traces traces,
      MeterRegistry metrics) {
    this.config = config;
    this.transition = config.transition();
    this.frontier = frontier;
    this.visits = visits;
    this.finisher = finisher;
    this.traps = traps;
    this.traces = traces;
    this.metrics = metrics;
    slots = new Semaphore(config.fetchers());
    taker = Thread.ofPlatform().daemon().name("crawler").unstarted(this::takeAll);
    keeper = Thread.ofPlatform().daemon().name("crawler leases").unstarted(this::keepAll);
    Gauge.builder("crawler.visits", active, Map::size)
        .description("Pages being visited by this process")
        .register(metrics);
    Gauge.builder("crawler.slots", config::fetchers)
        .description("Pages that this process may visit at once")
        .register(metrics);
  }

  @Override
  public String name() {
    return "crawler";
  }

  @Override
  public void start() {
    taker.start();
    keeper.start();
  }

  @Override
  public void stop() {
    stopping = true;
    news.release();
    try {
      taker.join(TimeUnit.SECONDS.toMillis(10));
      if (!slots.tryAcquire(
          config.fetchers(), config.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        active.values().forEach(Thread::interrupt);
        slots.tryAcquire(config.fetchers(), 5, TimeUnit.SECONDS);
      }
      keeper.interrupt();
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  /// Says that there is something to fetch.
  public void wake() {
    news.release();
  }

  /// Stops the visits of a crawl that was canceled.
  public void cancel(String crawlId) {
    crawls.invalidate(crawlId);
    active.forEach((visit, thread) -> {
      if (visit.crawlId().equals(crawlId)) thread.interrupt();
    });
    finisher.wake();
  }

  private void takeAll() {
    var failures = 0;
    while (!stopping) {
      try {
        takeOnce();
        failures = 0;
      } catch (RedisException silent) {
        if (failures++ == 0) log.warn("the frontier does not answer: {}", silent.getMessage());
        BACKOFF.pause(failures);
      } catch (InterruptedException stop) {
        return;
      } catch (RuntimeException unexpected) {
        // Without this thread nothing would be fetched any more.
        log.error("pages could not be taken", unexpected);
        BACKOFF.pause(++failures);
      }
    }
  }

  private void takeOnce() throws InterruptedException {
    slots.acquire();
    var free = 1;
    while (free < MOST_AT_ONCE && slots.tryAcquire()) free++;
    var taken = List.<PageLease>of();
    var wait = Duration.ZERO;
    try {
      if (stopping) return;
      news.drainPermits();
      var answer = frontier.take(free);
      taken = answer.visits();
      wait = answer.pause();
    } finally {
      slots.release(free - taken.size());
    }
    taken.forEach(this::begin);
    if (taken.isEmpty()) {
      var _ = news.tryAcquire(Math.max(1, wait.toMillis()), TimeUnit.MILLISECONDS);
    }
  }

  private void begin(PageLease visit) {
    var thread = Thread.ofVirtual().name("visit").unstarted(() -> visitThenRelease(visit));
    active.put(visit, thread);
    thread.start();
  }

  private void visitThenRelease(PageLease visit) {
    try {
      visitOne(visit);
    } finally {
      active.remove(visit);
      slots.release();
      news.release(); // its host may be ready for the next
    }
  }

  private void visitOne(PageLease visit) {
    try (var _ = LogContext.with("crawl_id", visit.crawlId())) {
      var known = known(visit.crawlId());
      if (known.isEmpty()) return; // nothing is kept of the crawl; the lease runs out
      var end = end(visit, known.get());
      // Its lease must not be renewed while its end is recorded.
      active.remove(visit);
      note(visit, known.get(), end);
    } catch (RedisException silent) {
      // Nothing is settled: when the lease has run out, the page comes again.
      log.warn("page {} is left for later: {}", visit.identity(), silent.getMessage());
    }
  }

  private Optional<Known> known(String crawlId) {
    var there = crawls.getIfPresent(crawlId);
    if (there != null) return Optional.of(there);
    var read =
        frontier
            .crawl(crawlId)
            .flatMap(CrawlPlan::of)
            .map(plan -> new Known(plan, new CrawlMemory(traps)));
    return read.map(fresh -> crawls.asMap().computeIfAbsent(crawlId, _ -> fresh));
  }

  private VisitResult end(PageLease visit, Known known) {
    try {
      var end =
          traces.inSpan(
              SpanKind.CRAWL,
              "visit",
              known.plan().trace(),
              () -> visited(visit, visits.visit(visit, known.plan(), known.memory())));
      // An interrupted visit may have misread the page: it is left to the next one.
      var isCut = Thread.currentThread().isInterrupted() && end.kind() != Kind.FETCHED;
      return isCut ? after(visit, new VisitOutcome.Postponed()) : end;
    } catch (RedisException silent) {
      throw silent;
    } catch (AmqpException refused) {
      var isOurs =
          refused.isTransient() || refused.isUnroutable() || Thread.currentThread().isInterrupted();
      return isOurs ? unpublished(visit, refused) : broken(visit, refused);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError broken) {
      return broken(visit, broken);
    }
  }

  private static VisitResult visited(PageLease visit, VisitResult end) {
    Traces.note("url", visit.address());
    Traces.note("outcome", end.kind().name().toLowerCase(Locale.ROOT));
    if (visit.attempt() > 0) Traces.note("attempt", visit.attempt() + 1L);
    return end;
  }

  // Not the page's fault, however long it takes (F35).
  private VisitResult unpublished(PageLease visit, AmqpException refused) {
    log.warn("page {} can't be published yet: {}", visit.identity(), refused.getMessage());
    return after(visit, new VisitOutcome.Postponed());
  }

  // One page must not take the crawl with it.
  private VisitResult broken(PageLease visit, Throwable why) {
    log.error("page {} could not be processed", visit.identity(), why);
    return after(visit, new VisitOutcome.Crashed("the page could not be processed"));
  }

  private VisitResult after(PageLease visit, VisitOutcome outcome) {
    return transition.after(visit, outcome, Duration.ZERO);
  }

  private void note(PageLease visit, Known known, VisitResult end) {
    var receipt = frontier.done(visit, end);
    metrics
        .counter("crawler.pages", "outcome", end.kind().name().toLowerCase(Locale.ROOT))
        .increment();
    if (receipt == VisitReceipt.IDLE || receipt == VisitReceipt.OVER) finisher.wake();
    if (receipt != VisitReceipt.FENCED) {
      known.memory().offered(end.links().stream().map(FrontierLink::identity).toList());
    }
  }

  private void keepAll() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        Thread.sleep(config.lease().dividedBy(3));
        // A visit without a lease can't record its end: it stops.
        for (var lost : frontier.renew(active.keySet())) {
          var thread = active.get(lost);
          if (thread != null) thread.interrupt();
        }
      } catch (RedisException silent) {
        log.debug("leases are not renewed: {}", silent.getMessage());
      } catch (InterruptedException stop) {
        return;
      } catch (RuntimeException unexpected) {
        log.error("leases could not be renewed", unexpected);
      }
    }
  }
}
