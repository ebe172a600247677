package io.tidemill.crawler;

import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.crawl.Frontier;
import io.tidemill.kafka.KafkaException;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.service.Service;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers crawls that are through: one response each, whoever dies meanwhile (C1.2, F04, F05).
public final class CrawlFinisher implements Service {
  private static final Logger log = LoggerFactory.getLogger(CrawlFinisher.class);
  private static final int AT_ONCE = 20;
  private static final int LINES = 1_000;
  private static final long LOOK_MILLIS = 250;
  private static final String MARK = "response_from";

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

  /// Says that a crawl may be through.
  void wake() {
    work.release();
  }

  private void run() {
    while (!stopping) {
      try {
        finishAll(frontier.ending(AT_ONCE));
        if (work.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) work.drainPermits();
      } catch (RedisException | KafkaException later) {
        // The crawl comes again when its lease has run out.
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
      var fields = frontier.crawl(id);
      var trace = CrawlPlan.of(id, fields).map(CrawlPlan::trace).orElse(null);
      traces.inSpan(
          SpanKind.CRAWL,
          "finish crawl",
          trace,
          () -> {
            finish(id, fields, mark);
            return "";
          });
    }
  }

  // Whoever marks first publishes; after a crash the topic itself tells whether that happened.
  private void finish(String id, Map<String, byte[]> fields, String mark) {
    Traces.about("crawl", id);
    var origin = ResponsePublisher.origin(fields);
    var first = frontier.note(id, MARK, mark);
    var isOut = !first.equals(mark) && responses.isPublished(id, first);
    if (!isOut) {
      var lines = frontier.lines(id, LINES);
      var outcome = CrawlOutcome.of(fields, lines, asText);
      if (outcome instanceof CrawlResponse.Failure(var why)) Traces.fail(why);
      responses.publish(id, origin, outcome, CrawlPlan.answerTrace(fields));
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
