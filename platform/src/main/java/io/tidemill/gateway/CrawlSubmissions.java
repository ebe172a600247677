package io.tidemill.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.broker.kafka.KafkaException;
import io.tidemill.broker.kafka.KafkaHeader;
import io.tidemill.broker.kafka.Outgoing;
import io.tidemill.broker.kafka.Publisher;
import io.tidemill.contract.Json;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.http.Response;
import io.tidemill.http.Unavailable;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.store.redis.CrawlStore;
import io.tidemill.url.WebUrl;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts crawls: first the entity, then the request, then the answer (C1.4).
public final class CrawlSubmissions {
  private static final Logger log = LoggerFactory.getLogger(CrawlSubmissions.class);
  private static final String UNPUBLISHED =
      "the crawl could not be handed to the crawlers; try again later";
  private static final String AGAIN = "\nagain";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final CrawlStore store;
  private final Publisher publisher;
  private final CrawlsConfig config;
  private final InstantSource clock;
  private final MeterRegistry metrics;

  public CrawlSubmissions(
      CrawlStore store,
      Publisher publisher,
      CrawlsConfig config,
      InstantSource clock,
      MeterRegistry metrics) {
    this.store = store;
    this.publisher = publisher;
    this.config = config;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Starts the crawl and answers with its entity.
  Response submit(CrawlSubmission submission, Optional<String> idempotencyKey) {
    var fault = fault(submission);
    if (fault.isPresent()) return Response.problem(422, fault.get());
    var owner = submission.email().text();
    var id = idempotencyKey.map(key -> named(owner, key)).orElseGet(CrawlSubmissions::random);
    var earlier =
        idempotencyKey.flatMap(_ -> Stored.answer(() -> store.find(new CrawlKey(owner, id))));
    if (earlier.filter(CrawlSubmissions::wasUnpublished).isPresent()) {
      // It never began, and whoever comes again with its key was told to: the next try has its own.
      return submit(submission, idempotencyKey.map(key -> key + AGAIN));
    }
    if (earlier.isPresent()) return repeated(earlier.get(), submission);
    if (Stored.answer(() -> store.count(owner)) >= config.maxPerOwner()) {
      return Response.problem(429, "this owner has as many crawls as crawls.max-per-owner allows")
          .withHeader("Retry-After", "3600");
    }
    return start(
        new CrawlRequest(
            id,
            owner,
            MILLIS.format(clock.instant()),
            submission.url().strip(),
            submission.options()));
  }

  private static boolean wasUnpublished(Crawl crawl) {
    return crawl.status() == CrawlStatus.FAILED
        && crawl.result().path("errorMessage").asString("").equals(UNPUBLISHED);
  }

  // One key of one owner names one crawl, so a repeated request can't start a second.
  private static String named(String owner, String key) {
    return UUID.nameUUIDFromBytes((owner + "\n" + key).getBytes(UTF_8)).toString();
  }

  private static String random() {
    return UUID.randomUUID().toString();
  }

  private static Optional<String> fault(CrawlSubmission submission) {
    if (WebUrl.parse(submission.url()).isEmpty()) {
      return Optional.of("url must be an absolute http or https URL");
    }
    return pattern("include", submission.options().include())
        .or(() -> pattern("exclude", submission.options().exclude()));
  }

  private static Optional<String> pattern(String field, List<String> patterns) {
    for (var pattern : patterns) {
      try {
        Pattern.compile(pattern);
      } catch (PatternSyntaxException wrong) {
        return Optional.of(
            "%s has '%s', which is not a pattern (RE2): %s"
                .formatted(field, pattern, wrong.getDescription()));
      }
    }
    return Optional.empty();
  }

  private static Response repeated(Crawl earlier, CrawlSubmission submission) {
    if (!earlier.url().equals(submission.url().strip())) {
      return Response.problem(422, "this Idempotency-Key was used for another crawl");
    }
    var answer = earlier.document().deepCopy().put("idempotent", true);
    return Response.accepted(answer).withHeader("Location", "/api/crawls/" + earlier.id());
  }

  private Response start(CrawlRequest request) {
    var trace = Traces.current().map(TraceParent::toString).orElse(null);
    Stored.answer(() -> {
      store.create(request, trace, config.doubtAfter());
      return request;
    });
    try {
      publisher.publish(record(request, trace));
    } catch (KafkaException refused) {
      throw failed(request, refused);
    }
    // If this is lost the reconciler publishes once more, and the crawlers know the id.
    forget(request.id());
    count("accepted");
    return Response.accepted(Json.parse(CrawlCodec.encodeNew(request)))
        .withHeader("Location", "/api/crawls/" + request.id());
  }

  private Unavailable failed(CrawlRequest request, KafkaException refused) {
    log.warn("crawl {}: {}", request.id(), refused.getMessage());
    count("unpublished");
    var key = new CrawlKey(request.email(), request.id());
    var result = CrawlCodec.failure(UNPUBLISHED);
    Stored.answer(() -> store.callOff(key, CrawlStatus.FAILED, result, Json.text(result)));
    return new Unavailable(UNPUBLISHED, RETRY_AFTER, refused);
  }

  private void forget(String id) {
    try {
      store.published(id);
    } catch (io.tidemill.store.redis.StoreException silent) {
      log.debug("crawl {} will be published again: {}", id, silent.getMessage());
    }
  }

  /// The record of a request, exactly the contract's (C1.1).
  static Outgoing record(CrawlRequest request, @Nullable String traceparent) {
    var headers = CrawlCodec.encodeHeaders(request);
    if (traceparent != null) headers.put(CrawlNames.TRACEPARENT, traceparent.getBytes(UTF_8));
    return record(request.id(), headers, CrawlCodec.encodeRequest(request));
  }

  static Outgoing record(String id, Map<String, byte[]> headers, byte[] value) {
    var list = new ArrayList<KafkaHeader>();
    headers.forEach((name, bytes) -> list.add(new KafkaHeader(name, bytes)));
    return new Outgoing(CrawlNames.REQUESTS, id.getBytes(UTF_8), list, value);
  }

  private void count(String what) {
    metrics.counter("gateway.crawls", "answer", what).increment();
  }
}
