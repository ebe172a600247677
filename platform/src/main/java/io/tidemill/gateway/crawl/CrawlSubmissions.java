package io.tidemill.gateway.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.crawl.CrawlStarts;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.gateway.IdempotencyKeys;
import io.tidemill.http.Response;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.redis.StoreRetry;
import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts crawls: first the entity, then the request, then the answer (C1.4).
public final class CrawlSubmissions {
  private static final Logger log = LoggerFactory.getLogger(CrawlSubmissions.class);
  private static final String AGAIN = "\nagain";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private final CrawlStore store;
  private final CrawlStarts starts;
  private final CrawlsConfig config;
  private final MeterRegistry metrics;

  public CrawlSubmissions(
      CrawlStore store, CrawlStarts starts, CrawlsConfig config, MeterRegistry metrics) {
    this.store = store;
    this.starts = starts;
    this.config = config;
    this.metrics = metrics;
  }

  /// Starts the crawl and answers with its entity.
  Response submit(CrawlSubmission submission, Optional<String> idempotencyKey) {
    var fault = CrawlStarts.fault(submission);
    if (fault.isPresent()) return Response.problem(422, fault.get());
    var owner = submission.email().text();
    var id = idempotencyKey.map(key -> named(owner, key)).orElseGet(CrawlSubmissions::random);
    var earlier =
        idempotencyKey.flatMap(_ -> StoreRetry.answer(() -> store.find(new CrawlKey(owner, id))));
    if (earlier.filter(CrawlStarts::wasUnpublished).isPresent()) {
      // It never began, and whoever comes again with its key was told to: the next try has its own.
      return submit(submission, idempotencyKey.map(key -> key + AGAIN));
    }
    if (earlier.isPresent()) return repeated(earlier.get(), submission);
    if (StoreRetry.answer(() -> store.count(owner)) >= config.maxPerOwner()) {
      return Response.problem(429, "this owner has as many crawls as crawls.max-per-owner allows")
          .withHeader("Retry-After", "3600");
    }
    return start(starts.request(id, submission));
  }

  // One key of one owner names one crawl, so a repeated request can't start a second.
  private static String named(String owner, String key) {
    return UUID.nameUUIDFromBytes((owner + "\n" + key).getBytes(UTF_8)).toString();
  }

  private static String random() {
    return UUID.randomUUID().toString();
  }

  private Response repeated(Crawl earlier, CrawlSubmission submission) {
    if (!earlier.url().equals(submission.url().strip()) || !hadOptions(earlier, submission)) {
      return Response.problem(422, "this Idempotency-Key was used for another crawl");
    }
    if (StoreRetry.answer(() -> store.isUnpublished(earlier.id()))) return IdempotencyKeys.busy();
    var answer = earlier.document().deepCopy().put("idempotent", true);
    return Response.accepted(answer).withHeader("Location", "/api/crawls/" + earlier.id());
  }

  // Long after its end nobody knows any more.
  private boolean hadOptions(Crawl earlier, CrawlSubmission submission) {
    var headers = CrawlStore.headers(StoreRetry.answer(() -> store.facts(earlier.id())));
    if (headers.isEmpty()) return true;
    headers.keySet().removeIf(name -> !CrawlCodec.isOption(name));
    return headers.equals(CrawlCodec.encodeOptions(submission.options()));
  }

  private Response start(CrawlRequest request) {
    StoreRetry.answer(() -> {
      starts.note(request);
      return request;
    });
    try {
      starts.publish(request);
    } catch (KafkaException refused) {
      throw failed(request, refused);
    }
    count("accepted");
    return Response.accepted(Json.parse(CrawlCodec.encodeNew(request)))
        .withHeader("Location", "/api/crawls/" + request.id());
  }

  private Unavailable failed(CrawlRequest request, KafkaException refused) {
    log.warn("crawl {}: {}", request.id(), refused.getMessage());
    count("unpublished");
    StoreRetry.answer(() -> {
      starts.giveUp(request);
      return request;
    });
    return new Unavailable(CrawlStarts.UNPUBLISHED, RETRY_AFTER, refused);
  }

  private void count(String what) {
    metrics.counter("gateway.crawls", "answer", what).increment();
  }
}
