package io.tidemill.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.redis.RedisException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts crawls: first the entity, then the request (C1.4).
public final class CrawlStarts {
  /// Why a crawl failed that no crawler ever heard of.
  public static final String UNPUBLISHED =
      "the crawl could not be handed to the crawlers; try again later";

  private static final Logger log = LoggerFactory.getLogger(CrawlStarts.class);
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final CrawlStore store;
  private final KafkaPublisher publisher;
  private final Duration doubtAfter;
  private final InstantSource clock;

  /// @param doubtAfter when a gateway may publish in our stead
  public CrawlStarts(
      CrawlStore store, KafkaPublisher publisher, Duration doubtAfter, InstantSource clock) {
    this.store = store;
    this.publisher = publisher;
    this.doubtAfter = doubtAfter;
    this.clock = clock;
  }

  /// Why nobody can crawl this; empty when somebody can.
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

  /// The request for a submission, as of now.
  public CrawlRequest request(String id, CrawlSubmission submission) {
    return new CrawlRequest(
        id,
        submission.email().text(),
        MILLIS.format(clock.instant()),
        submission.url().strip(),
        submission.options());
  }

  /// Notes the crawl, and that it is still to be published; the same id again changes nothing.
  public void note(CrawlRequest request) {
    Traces.about("crawl", request.id());
    store.create(request, Traces.header(), doubtAfter);
  }

  /// Hands a noted crawl to the crawlers.
  ///
  /// @throws KafkaException when they can't have it
  public void publish(CrawlRequest request) {
    var headers = CrawlCodec.encodeHeaders(request);
    var trace = Traces.header(); // as it is noted: who publishes it again publishes the same
    if (trace != null) headers.put(CrawlNames.TRACEPARENT, trace.getBytes(UTF_8));
    Traces.part(
        SpanKind.KAFKA,
        "publish",
        CrawlNames.REQUESTS,
        () -> publisher.publish(record(request.id(), headers, CrawlCodec.encodeRequest(request))));
    // If this is lost the reconciler publishes once more, and the crawlers know the id.
    forget(request.id());
  }

  private void forget(String id) {
    try {
      store.published(id);
    } catch (RedisException silent) {
      log.debug("crawl {} will be published again: {}", id, silent.getMessage());
    }
  }

  /// Ends a crawl that could not be published.
  public void giveUp(CrawlRequest request) {
    var result = CrawlCodec.failure(UNPUBLISHED);
    store.callOff(
        new CrawlKey(request.email(), request.id()), CrawlStatus.FAILED, result, Json.text(result));
  }

  /// Whether a crawl ended because it could not be published.
  public static boolean wasUnpublished(Crawl crawl) {
    return crawl.status() == CrawlStatus.FAILED
        && crawl.result().path("errorMessage").asString("").equals(UNPUBLISHED);
  }

  /// The record of a request, exactly the contract's (C1.1).
  public static OutgoingRecord record(String id, Map<String, byte[]> headers, byte[] value) {
    var list = new ArrayList<KafkaHeader>();
    headers.forEach((name, bytes) -> list.add(new KafkaHeader(name, bytes)));
    return new OutgoingRecord(CrawlNames.REQUESTS, id.getBytes(UTF_8), list, value);
  }
}
