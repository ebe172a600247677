package io.tidemill.gateway.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.AnalyticsException;
import io.tidemill.analytics.AnalyticsJson;
import io.tidemill.analytics.ItemFilter;
import io.tidemill.analytics.ItemOrder;
import io.tidemill.analytics.ProjectStore;
import io.tidemill.analytics.ProjectStore.Interval;
import io.tidemill.analytics.SentimentClass;
import io.tidemill.gateway.workflow.ExecutionRoutes;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problem;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.StreamBody;
import io.tidemill.json.FieldNames;
import io.tidemill.json.Json;
import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// What was collected, analysed (C5.8): `/api/analytics/…`.
public final class AnalyticsRoutes implements Routes {
  private static final FieldNames REPORT = FieldNames.of("title");
  private static final Logger log = LoggerFactory.getLogger(AnalyticsRoutes.class);
  private static final String ONE = "/api/analytics/projects/{project}";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final int LONGEST = 500;
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 1_000;
  private static final int OFFSET_MOST = 1_000_000;

  private final @Nullable ProjectStore projects;
  private final @Nullable ExecutionRoutes tasks;
  private final ItemDownload downloads = new ItemDownload();

  /// @param analytics null when another process has them in a file of its own
  /// @param tasks accepts report tasks; null without Kafka
  public AnalyticsRoutes(@Nullable Analytics analytics, @Nullable ExecutionRoutes tasks) {
    projects = analytics == null ? null : analytics.projects();
    this.tasks = tasks;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/analytics/projects", request -> checked(request, this::list)),
        Route.get(ONE, request -> checked(request, this::show)),
        Route.get(ONE + "/items", request -> checked(request, this::items)),
        Route.get(ONE + "/failures", request -> checked(request, this::failures)),
        Route.post(ONE + "/report", request -> checked(request, this::report)));
  }

  private static Response checked(Request request, Function<Request, Response> handler) {
    try {
      return handler.apply(request);
    } catch (AnalyticsException failed) {
      log.warn("{}", failed.getMessage());
      throw new Unavailable("the analytics database can't be read", RETRY_AFTER, failed);
    }
  }

  private ProjectStore projects() {
    var here = projects;
    if (here != null) return here;
    throw new Unavailable(
        "analytics are in a file of the collector's process: run the collector and the gateway as one process, or set analytics.url to a PostgreSQL database",
        RETRY_AFTER);
  }

  /// `GET /api/analytics/projects?limit=&after=`
  Response list(Request request) {
    var given = new Parameters(request);
    var limit = given.number("limit", LIMIT, 1, LIMIT_MOST);
    var found = projects().list(limit, given.text("after", LONGEST));
    var answer = Json.object();
    var all = answer.putArray("projects");
    for (var project : found) all.add(AnalyticsJson.encode(project));
    if (found.size() == limit) answer.put("next", found.getLast().project());
    return Response.ok(answer);
  }

  /// `GET /api/analytics/projects/{project}?interval=&keywords=&items=` and filters
  Response show(Request request) {
    var given = new Parameters(request);
    var shape =
        new ProjectStore.Shape(
            given.choice("interval", Interval.DAY),
            given.number("keywords", 20, 0, 200),
            given.number("items", 10, 0, 100));
    var project = request.pathParam("project");
    return projects()
        .overview(project, filter(given), shape)
        .<Response>map(found -> Response.ok(AnalyticsJson.encode(project, found)))
        .orElseGet(AnalyticsRoutes::unknown);
  }

  /// `GET /api/analytics/projects/{project}/items?sort=&limit=&after=&format=` and filters
  Response items(Request request) {
    var given = new Parameters(request);
    var filter = filter(given);
    var order = given.choice("sort", ItemOrder.IMPACT);
    var project = request.pathParam("project");
    var format = given.oneOf("format", List.of("json", "csv", "ndjson"));
    if (format != null && !format.equals("json")) {
      var from = projects();
      if (!from.isKnown(project)) return unknown();
      // A HEAD has no body.
      return request.method().equals("HEAD")
          ? download(format, project, _ -> {})
          : download(
              format, project, downloads.of(format, () -> from.stream(project, filter, order)));
    }
    var limit = given.number("limit", LIMIT, 1, LIMIT_MOST);
    var after = given.text("after", 10 * LONGEST);
    var page =
        page(() -> projects().items(project, filter, order, limit, after.isEmpty() ? null : after));
    if (page.items().isEmpty() && !projects().isKnown(project)) return unknown();
    return Response.ok(AnalyticsJson.encode(page));
  }

  private static Response download(String format, String project, StreamBody body) {
    var name = project.replaceAll("[^A-Za-z0-9._-]", "_") + "-items." + format;
    return new Response.Stream(
        format.equals("csv") ? "text/csv; charset=utf-8" : "application/x-ndjson",
        body,
        Map.of("Content-Disposition", "attachment; filename=\"" + name + "\""));
  }

  private static ProjectStore.Page page(Supplier<ProjectStore.Page> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException wrong) {
      throw new Parameters.Wrong("after", "the next of an earlier answer with the same sort");
    }
  }

  /// `GET /api/analytics/projects/{project}/failures?limit=&offset=`
  Response failures(Request request) {
    var given = new Parameters(request);
    var found =
        projects()
            .failures(
                request.pathParam("project"),
                given.number("limit", LIMIT, 1, LIMIT_MOST),
                given.number("offset", 0, 0, OFFSET_MOST));
    var answer = Json.object();
    var all = answer.putArray("failures");
    for (var failure : found) all.add(AnalyticsJson.encode(failure));
    return Response.ok(answer);
  }

  private static ItemFilter filter(Parameters given) {
    var impact = given.number("minImpact", 0, 0, 100);
    var sentiment = given.oneOf("sentiment", List.of("positive", "neutral", "negative", "unknown"));
    var duplicates = given.oneOf("duplicates", List.of("only", "none"));
    return new ItemFilter(
        optional(given.text("platform", LONGEST)),
        optional(given.text("language", LONGEST)),
        sentiment == null ? null : SentimentClass.valueOf(sentiment.toUpperCase(Locale.ROOT)),
        optional(given.text("job", LONGEST)),
        optional(given.text("q", LONGEST)),
        optional(given.text("keyword", LONGEST)),
        impact == 0 ? null : (Double) (double) impact,
        given.date("from", false),
        given.date("to", true),
        duplicates == null ? null : (Boolean) duplicates.equals("only"));
  }

  private static @Nullable String optional(String text) {
    return text.isEmpty() ? null : text;
  }

  /// `POST /api/analytics/projects/{project}/report`: a task of StreamOps writes it.
  Response report(Request request) {
    var here = tasks;
    if (here == null) {
      throw new Unavailable("reports need Kafka: set kafka.bootstrap", RETRY_AFTER);
    }
    var project = request.pathParam("project");
    if (!projects().isKnown(project)) return unknown();
    var data = Json.object().put("report", "analytics").put("project", project);
    if (request.body().length > 0) {
      var title = title(request.body());
      if (title == null) return wrongTitle();
      if (!title.isEmpty()) data.put("title", title);
    }
    var form = Json.object().put("type", "report_generation");
    form.set("data", data);
    return here.submit(Json.text(form).getBytes(UTF_8), request);
  }

  private static Response wrongTitle() {
    return Response.problem(
        Problem.of(422, "the body must be empty or {\"title\": a string}").with("field", "title"));
  }

  private static @Nullable String title(byte[] body) {
    JsonNode tree;
    try {
      tree = Json.parse(body);
    } catch (JacksonException notJson) {
      return null;
    }
    if (!tree.isObject()) return null;
    Parameters.Wrong.requireKnown(REPORT, tree);
    var title = tree.path("title");
    if (title.isMissingNode() || title.isNull()) return "";
    return title.isString() ? title.asString() : null;
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such project");
  }
}
