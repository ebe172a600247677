package io.tidemill.crawler;

import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.crawl.CrawlRecord;
import io.tidemill.crawl.CrawlTransition;
import io.tidemill.crawl.Frontier;
import io.tidemill.kafka.KafkaException;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.service.Service;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.StringNode;

/// Publishes the responses of crawls that have no page left: one each, even after a crash (C1.2,
/// F04, F05).
public final class CrawlFinisher implements Service {
  private static final Logger log = LoggerFactory.getLogger(CrawlFinisher.class);
  private static final int AT_ONCE = 20;
  private static final int LINES = 1_000;
  private static final long INTERVAL_MILLIS = 250;

  private final Frontier frontier;
  private final ResponsePublisher responses;
  private final boolean asText;
  private final Traces traces;
  private final Semaphore work = new Semaphore(0);
  private final Thread thread;
  private volatile boolean stopping;

  public CrawlFinisher(
      Frontier frontier, ResponsePublisher responses, CrawlerConfig config, Traces traces) {
    this.frontier = frontier;
    this.responses = responses;
    this.asText = config.answersWithText();
    this.traces = traces;
    thread = Thread.ofVirtual().name("crawl finisher").unstarted(this::run);
  }

  @Override
  public String name() {
    return "crawl finisher";
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void stop() {
    stopping = true;
    work.release();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  /// Looks for crawls to answer now.
  void wake() {
    work.release();
  }

  private void run() {
    while (!stopping) {
      try {
        finishAll(frontier.ending(AT_ONCE));
        if (work.tryAcquire(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) work.drainPermits();
      } catch (RedisException | KafkaException later) {
        // The crawl comes again when its lease is over.
        log.warn("a crawl could not be answered yet: {}", later.getMessage());
        pause();
      } catch (InterruptedException stop) {
        stopping = true;
      } catch (RuntimeException unexpected) {
        // Without this thread no crawl would be answered any more.
        log.error("a crawl could not be answered", unexpected);
        pause();
      }
    }
  }

  private void finishAll(List<String> ids) {
    if (ids.isEmpty()) return;
    var mark = responses.mark();
    for (var id : ids) {
      var crawl = frontier.crawl(id).orElseGet(() -> CrawlRecord.unknown(id));
      traces.inSpan(
          SpanKind.CRAWL,
          "finish crawl",
          crawl.trace(),
          () -> {
            finish(crawl, mark);
            return "";
          });
    }
  }

  // The first finisher notes the end offsets, then publishes. After its crash the next one searches
  // the topic from these offsets on.
  private void finish(CrawlRecord crawl, String mark) {
    var id = crawl.id();
    Traces.about("crawl", id);
    var first = frontier.noteResponseFrom(id, mark);
    var isPublished = !first.equals(mark) && responses.isPublished(id, first);
    if (!isPublished) {
      var response = CrawlTransition.after(crawl, frontier.lines(id, LINES), asText);
      if (response instanceof CrawlResponse.Failure(var why)) Traces.fail(why);
      if (response instanceof CrawlResponse.Success(StringNode _)) {
        frontier.noteDetails(crawl, CrawlTransition.details(crawl));
      }
      responses.publish(id, crawl.origin(), response, crawl.answerTrace());
    }
    frontier.ended(id);
    log.info("crawl {} is answered", id);
  }

  private static void pause() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
