package io.tidemill.crawler;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlOrigin;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.contract.crawl.DecodedCrawlRequest;
import io.tidemill.crawl.CrawlState;
import io.tidemill.crawl.Frontier;
import io.tidemill.crawl.NewCrawl;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.RecordAttempt;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes crawl requests from Kafka into the frontier; from there on the crawl survives by itself
/// (C1.1, C1.7).
public final class CrawlIntake {
  private static final Logger log = LoggerFactory.getLogger(CrawlIntake.class);
  private static final Duration STORE_PAUSE = Duration.ofMillis(500);

  private final Frontier frontier;
  private final FrontierLinks links;
  private final ResponsePublisher responses;
  private final Runnable wake;
  private final int maxPages;
  private final Traces traces;
  private final MeterRegistry metrics;

  /// @param wake makes the crawler look for pages now
  public CrawlIntake(
      Frontier frontier,
      FrontierLinks links,
      ResponsePublisher responses,
      Runnable wake,
      CrawlerConfig config,
      Traces traces,
      MeterRegistry metrics) {
    this.frontier = frontier;
    this.links = links;
    this.responses = responses;
    this.wake = wake;
    this.maxPages = config.maxPages();
    this.traces = traces;
    this.metrics = metrics;
  }

  /// One record of `crawl-requests`.
  public Settlement handle(RecordAttempt attempt) {
    var record = attempt.record();
    var trace = record.text(CrawlNames.TRACEPARENT).orElse(null);
    return traces.inSpan(SpanKind.KAFKA, "take in crawl", trace, () -> handle(record));
  }

  private Settlement handle(KafkaRecord record) {
    try {
      return switch (CrawlCodec.decodeRequest(headers(record), record.value())) {
        case DecodedCrawlRequest.Unaddressed(var why) -> new Settlement.DeadLetter(why);
        case DecodedCrawlRequest.Refused(var id, var origin, var why) -> refuse(id, origin, why);
        case DecodedCrawlRequest.Valid(var request, var origin) -> accept(request, origin, record);
      };
    } catch (RedisException silent) {
      var why = String.valueOf(silent.getMessage());
      // What Redis refuses now it may refuse for ever: such a record is given up in the end.
      return silent.isRefusal()
          ? new Settlement.Retry(STORE_PAUSE, why)
          : new Settlement.Defer(STORE_PAUSE, why);
    } catch (KafkaException silent) {
      return new Settlement.Defer(STORE_PAUSE, String.valueOf(silent.getMessage()));
    }
  }

  private Settlement accept(CrawlRequest request, CrawlOrigin origin, KafkaRecord record) {
    Traces.about("crawl", request.id());
    var seed = WebUrl.parse(request.url());
    if (seed.isEmpty()) {
      return refuse(request.id(), origin, "url is not an absolute http or https URL");
    }
    // Its pages are fetched on behalf of this span, whether or not the request named one.
    var plan = new CrawlPlan(request.id(), seed.get(), request.options(), Traces.header());
    var fault = fault(plan);
    if (fault.isPresent()) return refuse(request.id(), origin, fault.get());
    var state =
        frontier.begin(
            new NewCrawl(
                plan.id(),
                request.email(),
                plan.seed().href(),
                links.first(plan.seed()),
                plan.options(),
                plan.trace(),
                record.header(CrawlNames.TRACEPARENT).isPresent(),
                origin));
    if (state.isEmpty()) log.info("crawl {} of {} begins", request.id(), seed.get());
    count(state.map(CrawlState::wire).orElse("begun"));
    wake.run();
    return Settlement.DONE;
  }

  private Optional<String> fault(CrawlPlan plan) {
    if (plan.options().maxPages() > maxPages) {
      return Optional.of("maxPages is more than crawler.max-pages allows: " + maxPages);
    }
    try {
      plan.scope(plan.seed(), ScopeConfig.standard());
      return Optional.empty();
    } catch (IllegalArgumentException wrong) {
      return Optional.of(String.valueOf(wrong.getMessage()));
    }
  }

  private Settlement refuse(String id, CrawlOrigin origin, String why) {
    Traces.about("crawl", id);
    Traces.fail(why);
    responses.publish(id, origin, new CrawlResponse.Failure(why), null);
    count("refused");
    return Settlement.DONE;
  }

  private void count(String state) {
    metrics.counter("crawler.crawls", "state", state).increment();
  }

  private static Map<String, byte[]> headers(KafkaRecord record) {
    var headers = new LinkedHashMap<String, byte[]>();
    for (var header : record.headers()) {
      if (header.value() != null) headers.put(header.name(), header.value());
    }
    return headers;
  }
}
