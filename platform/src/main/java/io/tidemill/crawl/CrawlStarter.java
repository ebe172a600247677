package io.tidemill.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.contract.crawl.Email;
import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.StoreRetry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts crawls, each once: first the entity, then the request (C1.4).
public final class CrawlStarter {
  /// The error of a crawl whose request no broker took. The entity outlives all other records of
  /// the crawl, so this text is what marks it.
  public static final String UNPUBLISHED =
      "the crawl could not be handed to the crawlers; try again later";

  private static final Logger log = LoggerFactory.getLogger(CrawlStarter.class);
  private static final String AGAIN = "\nagain";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  private static final Duration FULL_RETRY_AFTER = Duration.ofHours(1);

  private final CrawlStore store;
  private final KafkaPublisher publisher;
  private final Duration doubtAfter;
  private final long maxPerOwner;
  private final InstantSource clock;

  /// @param doubtAfter when another gateway may publish the request
  public CrawlStarter(
      CrawlStore store,
      KafkaPublisher publisher,
      Duration doubtAfter,
      long maxPerOwner,
      InstantSource clock) {
    this.store = store;
    this.publisher = publisher;
    this.doubtAfter = doubtAfter;
    this.maxPerOwner = maxPerOwner;
    this.clock = clock;
  }

  /// Starts a crawl for a client that waits for the answer: when the broker does not take the
  /// request, the crawl fails. Throws [Unavailable] when the store does not answer.
  ///
  /// @param idempotencyKey the same key of the same owner again starts no second crawl
  public CrawlStart start(CrawlSubmission submission, Optional<String> idempotencyKey) {
    var fault = fault(submission);
    if (fault.isPresent()) return new CrawlStart.Invalid(fault.get());
    var owner = submission.email().text();
    var id = idempotencyKey.map(key -> named(owner, key)).orElseGet(CrawlStarter::random);
    var earlier =
        idempotencyKey.flatMap(_ -> StoreRetry.answer(() -> store.find(new CrawlKey(owner, id))));
    if (earlier.filter(CrawlStarter::wasUnpublished).isPresent()) {
      // The first try failed and its client was asked to retry: the retry gets an id of its own.
      return start(submission, idempotencyKey.map(key -> key + AGAIN));
    }
    if (earlier.isPresent()) return repeated(earlier.get(), submission);
    if (StoreRetry.answer(() -> store.count(owner)) >= maxPerOwner) {
      return new CrawlStart.TooManyCrawls(FULL_RETRY_AFTER);
    }
    return publishOrEnd(request(id, submission));
  }

  // One key of one owner names one crawl, so a repeated request can't start a second.
  private static String named(String owner, String key) {
    return UUID.nameUUIDFromBytes((owner + "\n" + key).getBytes(UTF_8)).toString();
  }

  private static String random() {
    return UUID.randomUUID().toString();
  }

  private CrawlStart repeated(Crawl earlier, CrawlSubmission submission) {
    if (!earlier.url().equals(submission.url().strip()) || !hadOptions(earlier, submission)) {
      return new CrawlStart.Conflict(earlier.id());
    }
    return StoreRetry.answer(() -> store.isUnpublished(earlier.id()))
        ? new CrawlStart.Busy()
        : new CrawlStart.Repeated(earlier);
  }

  // Long after its end its options are no longer kept.
  private boolean hadOptions(Crawl earlier, CrawlSubmission submission) {
    var headers =
        StoreRetry.answer(() -> store.record(earlier.id()))
            .map(CrawlRecord::headers)
            .orElse(Map.of());
    if (headers.isEmpty()) return true;
    var options = new LinkedHashMap<>(headers);
    options.keySet().removeIf(name -> !CrawlCodec.isOption(name));
    return options.equals(CrawlCodec.encodeOptions(submission.options()));
  }

  private CrawlStart publishOrEnd(CrawlRequest request) {
    StoreRetry.answer(() -> {
      note(request);
      return request;
    });
    try {
      publish(request);
    } catch (KafkaException refused) {
      log.warn("crawl {}: {}", request.id(), refused.getMessage());
      StoreRetry.answer(() -> {
        giveUp(request);
        return request;
      });
      return new CrawlStart.NotPublished(refused, RETRY_AFTER);
    }
    return new CrawlStart.Started(request);
  }

  /// Has one page fetched for an owner, whether or not it was crawled a short time ago.
  ///
  /// @param idempotencyKey the same key again starts no second crawl
  public CrawlStart fetchAgain(String owner, String url, String idempotencyKey) {
    Email email;
    try {
      email = Email.parse(owner);
    } catch (IllegalArgumentException invalid) {
      return new CrawlStart.Invalid("nobody can own the crawl: " + invalid.getMessage());
    }
    var submission = new CrawlSubmission(email, url, CrawlOptions.SINGLE_AGAIN);
    return start(submission, Optional.of(idempotencyKey));
  }

  /// Starts a crawl under an id that the caller has chosen, for work that is repeated until it
  /// succeeds: when the broker is away the crawl stays noted, and the caller or a gateway publishes
  /// it later. Throws [RedisException] when the store does not answer.
  public CrawlStart.WithId start(String id, CrawlSubmission submission) {
    var fault = fault(submission);
    if (fault.isPresent()) return new CrawlStart.Invalid(fault.get());
    var key = new CrawlKey(submission.email().text(), id);
    var earlier = store.find(key);
    if (earlier.isPresent() && !store.isUnpublished(id)) {
      return new CrawlStart.Repeated(earlier.get());
    }
    if (earlier.isEmpty() && store.count(key.email()) >= maxPerOwner) {
      return new CrawlStart.TooManyCrawls(FULL_RETRY_AFTER);
    }
    var request = request(id, submission);
    return publishOrLeave(
        earlier.map(crawl -> createdAt(crawl.createdAt(), request)).orElse(request));
  }

  // The time of the first attempt counts: crawlers and clients see one time only.
  private static CrawlRequest createdAt(String time, CrawlRequest request) {
    return new CrawlRequest(request.id(), request.email(), time, request.url(), request.options());
  }

  private CrawlStart.WithId publishOrLeave(CrawlRequest request) {
    note(request);
    try {
      publish(request);
    } catch (KafkaException refused) {
      if (refused.isTooLarge()) giveUp(request);
      return new CrawlStart.NotPublished(refused, RETRY_AFTER);
    }
    return new CrawlStart.Started(request);
  }

  /// Publishes a crawl that was noted, unless it has ended.
  ///
  /// @return whether it was published
  /// @throws KafkaException when the crawlers can't have it
  public boolean publishNoted(String id) {
    var record = store.record(id);
    var status = store.owner(id).flatMap(store::find).map(Crawl::status).orElse(CrawlStatus.FAILED);
    if (!status.isTerminal()) {
      var headers = new LinkedHashMap<String, byte[]>();
      record
          .map(CrawlRecord::headers)
          .orElse(Map.of())
          .forEach((name, value) -> headers.put(name, value.getBytes(UTF_8)));
      var url = record.map(CrawlRecord::url).orElse("");
      var value = Json.bytes(Json.object().put("url", url));
      publisher.publish(record(id, headers, value));
    }
    store.published(id);
    return !status.isTerminal();
  }

  /// Why the crawl can't be started; empty when it can.
  public static Optional<String> fault(CrawlSubmission submission) {
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

  private CrawlRequest request(String id, CrawlSubmission submission) {
    return new CrawlRequest(
        id,
        submission.email().text(),
        IsoTime.text(clock.instant()),
        submission.url().strip(),
        submission.options());
  }

  // The same id again changes nothing.
  private void note(CrawlRequest request) {
    Traces.about("crawl", request.id());
    store.create(request, Traces.header(), doubtAfter);
  }

  private void publish(CrawlRequest request) {
    var headers = CrawlCodec.encodeHeaders(request);
    var trace = Traces.header(); // as it is noted, so that a repeated publish sends the same
    if (trace != null) headers.put(CrawlNames.TRACEPARENT, trace.getBytes(UTF_8));
    Traces.part(
        SpanKind.KAFKA,
        "publish",
        CrawlNames.REQUESTS,
        () -> publisher.publish(record(request.id(), headers, CrawlCodec.encodeRequest(request))));
    // If this fails, the reconciler publishes again, and crawlers ignore an id that they know.
    forget(request.id());
  }

  private void forget(String id) {
    try {
      store.published(id);
    } catch (RedisException silent) {
      log.debug("crawl {} will be published again: {}", id, silent.getMessage());
    }
  }

  private void giveUp(CrawlRequest request) {
    var result = CrawlCodec.failure(UNPUBLISHED);
    store.withdraw(
        new CrawlKey(request.email(), request.id()), CrawlStatus.FAILED, result, Json.text(result));
  }

  /// Whether a crawl ended because it could not be published.
  public static boolean wasUnpublished(Crawl crawl) {
    return crawl.status() == CrawlStatus.FAILED
        && crawl.result().path("errorMessage").asString("").equals(UNPUBLISHED);
  }

  // Exactly the contract's (C1.1).
  private static OutgoingRecord record(String id, Map<String, byte[]> headers, byte[] value) {
    var list = new ArrayList<KafkaHeader>();
    headers.forEach((name, bytes) -> list.add(new KafkaHeader(name, bytes)));
    return new OutgoingRecord(CrawlNames.REQUESTS, id.getBytes(UTF_8), list, value);
  }
}
