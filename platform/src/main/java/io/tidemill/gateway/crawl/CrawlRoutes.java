package io.tidemill.gateway.crawl;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.contract.crawl.Email;
import io.tidemill.crawl.CrawlCanceler;
import io.tidemill.crawl.CrawlOwners;
import io.tidemill.crawl.CrawlStart;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.crawl.CrawlView;
import io.tidemill.gateway.EventStream;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problem;
import io.tidemill.http.Problems;
import io.tidemill.http.Request;
import io.tidemill.http.RequestHeaders;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.service.Unavailable;
import io.tidemill.work.Cancellation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Crawls over HTTP (C1.5): `/api/crawls…`.
public final class CrawlRoutes implements Routes {
  private static final Comparator<CrawlStore.Listed> NEWEST_FIRST =
      Comparator.comparing(CrawlStore.Listed::createdAt)
          .reversed()
          .thenComparing(CrawlStore.Listed::id);
  private static final List<String> STATUSES =
      Arrays.stream(CrawlStatus.values()).map(CrawlStatus::wire).toList();
  private static final int MOST = 1_000;

  private final CrawlStarter starter;
  private final CrawlCanceler canceler;
  private final CrawlStore store;
  private final CrawlOwners owners;
  private final EventStream events;
  private final MeterRegistry metrics;

  public CrawlRoutes(
      CrawlStarter starter,
      CrawlStore store,
      CrawlOwners owners,
      EventStream events,
      MeterRegistry metrics) {
    this.starter = starter;
    this.canceler = new CrawlCanceler(store);
    this.store = store;
    this.owners = owners;
    this.events = events;
    this.metrics = metrics;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.post("/api/crawls", this::submit),
        Route.get("/api/crawls", this::list),
        Route.get("/api/crawls/{id}", this::show),
        Route.get("/api/crawls/{id}/events", this::follow),
        Route.get("/api/crawls/{id}/pages", this::pages),
        Route.delete("/api/crawls/{id}", this::cancel));
  }

  /// `POST /api/crawls`
  Response submit(Request request) {
    var key = RequestHeaders.idempotencyKey(request);
    return switch (CrawlCodec.decodeSubmission(request.body())) {
      case Decoded.Unreadable(var why) -> Problems.unreadable(why);
      case Decoded.Malformed(var why) -> Problems.malformed(why);
      case Decoded.Message(var submission) -> answer(starter.start(submission, key));
    };
  }

  /// Has one page fetched again, as `POST /api/crawls` would have it.
  public CrawlStart fetchAgain(String owner, String url, String key) {
    return counted(starter.fetchAgain(owner, url, key));
  }

  private Response answer(CrawlStart start) {
    return switch (counted(start)) {
      case CrawlStart.Started(var request) ->
          accepted(request.id(), Json.parse(CrawlCodec.encodeNew(request)));
      case CrawlStart.Repeated(var earlier) ->
          accepted(earlier.id(), CrawlView.of(earlier).put("idempotent", true));
      case CrawlStart.Conflict conflict -> Problems.conflict(conflict.why());
      case CrawlStart.Busy() -> Problems.busy();
      case CrawlStart.Invalid(var why) -> Problems.malformed(why);
      case CrawlStart.TooManyCrawls full ->
          Problems.retryLater(Problem.of(429, full.why()), full.retryAfter());
      case CrawlStart.NotPublished(var cause, var retryAfter) ->
          throw new Unavailable(CrawlStarter.UNPUBLISHED, retryAfter, cause);
    };
  }

  private CrawlStart counted(CrawlStart start) {
    if (start instanceof CrawlStart.Started) count("accepted");
    if (start instanceof CrawlStart.NotPublished) count("unpublished");
    return start;
  }

  private static Response accepted(String id, JsonNode entity) {
    return Response.accepted(entity).withHeader("Location", "/api/crawls/" + id);
  }

  private void count(String what) {
    metrics.counter("gateway.crawls", "answer", what).increment();
  }

  /// `GET /api/crawls?email=&status=&limit=&offset=`, newest first; of all owners without `email`
  Response list(Request request) {
    var email = request.query("email");
    var given = new Parameters(request);
    var status = given.oneOf("status", STATUSES);
    var wanted = status == null ? null : CrawlStatus.of(status);
    var limit = given.number("limit", 50, 1, MOST);
    var offset = given.number("offset", 0, 0, Integer.MAX_VALUE - MOST);
    try {
      return email.isEmpty()
          ? listAll(wanted, limit, offset)
          : list(Email.parse(email.get()).text(), wanted, limit, offset);
    } catch (IllegalArgumentException invalid) {
      return Problems.malformed(String.valueOf(invalid.getMessage()));
    }
  }

  private Response list(String owner, @Nullable CrawlStatus status, int limit, int offset) {
    var all =
        StoreRetry.answer(() -> store.list(owner)).stream()
            .filter(crawl -> status == null || crawl.status() == status)
            .sorted(NEWEST_FIRST)
            .toList();
    var crawls =
        all.stream()
            .skip(offset)
            .limit(limit)
            .map(crawl -> new CrawlKey(owner, crawl.id()))
            .flatMap(key -> StoreRetry.answer(() -> store.find(key)).stream())
            .toList();
    return listed(crawls, CrawlView::of, all.size(), limit, offset);
  }

  // Of all owners only the newest are listed.
  private Response listAll(@Nullable CrawlStatus status, int limit, int offset) {
    var page = StoreRetry.answer(() -> store.recent(status, limit, offset));
    return listed(page.crawls(), CrawlView::brief, page.total(), limit, offset);
  }

  private Response listed(
      List<Crawl> crawls, Function<Crawl, ObjectNode> view, long total, int limit, int offset) {
    var counters = StoreRetry.answer(() -> store.counters(crawls.stream().map(Crawl::id).toList()));
    var answer = Json.object();
    var list = answer.putArray("crawls");
    for (int i = 0; i < crawls.size(); i++) {
      list.add(CrawlView.withProgress(view.apply(crawls.get(i)), counters.get(i)));
    }
    return Response.ok(answer.put("total", total).put("limit", limit).put("offset", offset));
  }

  /// `GET /api/crawls/{id}`
  Response show(Request request) {
    return find(request)
        .<Response>map(crawl ->
            Response.ok(CrawlView.of(crawl, StoreRetry.answer(() -> store.record(crawl.id())))))
        .orElseGet(CrawlRoutes::unknown);
  }

  /// `GET /api/crawls/{id}/events`
  Response follow(Request request) {
    var last = RequestHeaders.lastEventId(request);
    return find(request)
        .map(crawl -> Response.events(events.follow(crawl.id(), last.orElse(null))))
        .orElseGet(CrawlRoutes::unknown);
  }

  /// `GET /api/crawls/{id}/pages?limit=&offset=`: what became of each page, in order
  Response pages(Request request) {
    var given = new Parameters(request);
    var limit = given.number("limit", 100, 1, MOST);
    var offset = given.number("offset", 0, 0, Integer.MAX_VALUE - MOST);
    return find(request).map(crawl -> pages(crawl, offset, limit)).orElseGet(CrawlRoutes::unknown);
  }

  private Response pages(Crawl crawl, int offset, int limit) {
    var answer = Json.object().put("id", crawl.id());
    var list = answer.putArray("pages");
    for (var line : StoreRetry.answer(() -> store.lines(crawl.id(), offset, limit))) {
      list.add(Json.parse(line));
    }
    return Response.ok(answer);
  }

  /// `DELETE /api/crawls/{id}`
  Response cancel(Request request) {
    var crawl = find(request);
    if (crawl.isEmpty()) return unknown();
    var key = new CrawlKey(crawl.get().email(), crawl.get().id());
    return switch (StoreRetry.answer(() -> canceler.cancel(key, "canceled"))) {
      case Cancellation.Canceled(var _) ->
          StoreRetry.answer(() -> store.find(key))
              .<Response>map(now -> Response.ok(CrawlView.of(now)))
              .orElseGet(CrawlRoutes::unknown);
      case Cancellation.AlreadyEnded(var status) ->
          Response.problem(
              Problem.of(409, "the crawl has already ended as " + status)
                  .with("crawl_status", status));
      case Cancellation.Unknown() -> unknown();
    };
  }

  private Optional<Crawl> find(Request request) {
    var id = request.pathParam("id");
    if (!CrawlNames.isId(id)) return Optional.empty();
    // Long after its end a crawl is only in its owner's list, as one of another program's gateway.
    var named = request.query("email").map(email -> new CrawlKey(email, id));
    return StoreRetry.answer(() ->
        store
            .owner(id)
            .or(() -> named)
            .flatMap(store::find)
            .or(() -> owners.find(id).flatMap(store::find)));
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such crawl");
  }
}
