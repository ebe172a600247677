package io.tidemill.worker.tool;

import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.AnalyticsException;
import io.tidemill.analytics.AnalyticsJson;
import io.tidemill.analytics.ItemFilter;
import io.tidemill.analytics.ItemOrder;
import io.tidemill.analytics.ProjectStore;
import io.tidemill.analytics.ProjectStore.Interval;
import io.tidemill.analytics.SentimentClass;
import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.RetryLater;
import io.tidemill.json.Json;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Queries the analytics by fixed questions, without SQL; reads only (C3.11, C5.8).
public final class AnalyticsQueryTool extends BuiltInTool {
  private static final int LIMIT = 20;
  private static final ObjectNode SCHEMA =
      ToolArguments.schema(
          """
          {"what": {"type": "string", "enum": ["projects", "overview", "timeline", "platforms", "languages", "keywords", "items", "failures"],
             "description": "projects: all there are; overview: everything at one look; timeline: items and sentiment over time; items: what was collected, one by one; failures: what could not be read."},
           "project": {"type": "string", "maxLength": 500, "description": "Needed for everything but projects; crawled pages are in the project web unless the crawl names one."},
           "interval": {"type": "string", "enum": ["hour", "day", "week", "month"], "description": "The steps of a timeline; day by default."},
           "sort": {"type": "string", "enum": ["impact", "newest", "views", "likes"], "description": "Of items; impact by default."},
           "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "20 by default."},
           "after": {"type": "string", "maxLength": 5000, "description": "The next of an earlier answer, for more of the same."},
           "platform": {"type": "string", "maxLength": 500},
           "language": {"type": "string", "maxLength": 500},
           "sentiment": {"type": "string", "enum": ["positive", "neutral", "negative", "unknown"]},
           "job": {"type": "string", "maxLength": 500, "description": "Only what this crawl or job collected."},
           "q": {"type": "string", "maxLength": 500, "description": "Only items with this in title or text."},
           "keyword": {"type": "string", "maxLength": 500},
           "minImpact": {"type": "number", "minimum": 0, "maximum": 100},
           "from": {"type": "string", "maxLength": 40, "description": "A date such as 2026-01-04."},
           "to": {"type": "string", "maxLength": 40, "description": "A date, itself included."},
           "duplicates": {"type": "string", "enum": ["only", "none"], "description": "Only near-duplicates, or none."}}
          """,
          "what");

  private final @Nullable Supplier<Analytics> analytics;

  /// @param analytics opened by the first call; null when they are in a file of another process
  public AnalyticsQueryTool(@Nullable Supplier<Analytics> analytics) {
    super(
        "analytics.query",
        true,
        "Asks what was collected and what it says: projects, totals, sentiment over time,"
            + " platforms, languages, keywords, single items, near-duplicates. Reads only.",
        SCHEMA);
    this.analytics = analytics;
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var configured = analytics;
    if (configured == null) {
      throw notConfigured(
          "analytics are in a file of the collector's process: run the collector and the worker as"
              + " one process, or set analytics.url to a PostgreSQL database");
    }
    try {
      return answer(configured.get().projects(), new ToolArguments(arguments));
    } catch (AnalyticsException failed) {
      if (failed.isPassing()) throw new RetryLater(String.valueOf(failed.getMessage()), failed);
      throw new JobFailure("ANALYTICS_FAILED", String.valueOf(failed.getMessage()));
    }
  }

  private static JsonNode answer(ProjectStore projects, ToolArguments given) throws JobFailure {
    var limit = given.number("limit", LIMIT);
    var what = given.text("what");
    if (what.equals("projects")) return all(projects, limit, given.text("after"));
    var project = given.text("project");
    if (project.isEmpty()) throw ToolArguments.wrong("project: expected a name; it is missing");
    var filter = filter(given);
    return switch (what) {
      case "items" -> items(projects, project, filter, given, limit);
      case "failures" -> failures(projects, project, limit);
      case "overview" -> overview(projects, project, filter, given, limit);
      case "timeline" ->
          part(overview(projects, project, filter, given, 1), "sentiment", limit(given));
      default -> part(overview(projects, project, filter, given, limit), what, limit);
    };
  }

  // Without a limit a timeline is whole.
  private static int limit(ToolArguments given) {
    return given.number("limit", Integer.MAX_VALUE);
  }

  private static ObjectNode all(ProjectStore projects, int limit, String after) {
    var found = projects.list(limit, after);
    var tree = Json.object();
    var all = tree.putArray("projects");
    for (var project : found) all.add(AnalyticsJson.encode(project));
    if (found.size() == limit) tree.put("next", found.getLast().project());
    return tree;
  }

  private static ObjectNode overview(
      ProjectStore projects, String project, ItemFilter filter, ToolArguments given, int limit)
      throws JobFailure {
    var interval = given.text("interval").toUpperCase(Locale.ROOT);
    var shape =
        new ProjectStore.Shape(
            interval.isEmpty() ? Interval.DAY : Interval.valueOf(interval), limit, limit);
    return projects
        .overview(project, filter, shape)
        .map(found -> AnalyticsJson.encode(project, found))
        .orElseThrow(() -> new JobFailure("UNKNOWN_PROJECT", "there is no such project"));
  }

  // The latest steps of a timeline, the first of everything else.
  private static ObjectNode part(ObjectNode overview, String name, int most) {
    var list = overview.path(name);
    var tree = Json.object().put("project", overview.path("project").asString());
    var part = tree.putArray(name);
    var skip = name.equals("sentiment") ? Math.max(0, list.size() - most) : 0;
    list.valueStream().skip(skip).limit(most).forEach(part::add);
    return tree;
  }

  private static ObjectNode items(
      ProjectStore projects, String project, ItemFilter filter, ToolArguments given, int limit)
      throws JobFailure {
    if (!projects.isKnown(project)) {
      throw new JobFailure("UNKNOWN_PROJECT", "there is no such project");
    }
    var sort = given.text("sort").toUpperCase(Locale.ROOT);
    var order = sort.isEmpty() ? ItemOrder.IMPACT : ItemOrder.valueOf(sort);
    try {
      return AnalyticsJson.encode(
          projects.items(project, filter, order, limit, given.optional("after")));
    } catch (IllegalArgumentException wrong) {
      throw ToolArguments.wrong("after: expected the next of an earlier answer with the same sort");
    }
  }

  private static ObjectNode failures(ProjectStore projects, String project, int limit) {
    var tree = Json.object();
    var all = tree.putArray("failures");
    for (var failure : projects.failures(project, limit, 0)) all.add(AnalyticsJson.encode(failure));
    return tree;
  }

  private static ItemFilter filter(ToolArguments given) throws JobFailure {
    var sentiment = given.text("sentiment").toUpperCase(Locale.ROOT);
    var duplicates = given.text("duplicates");
    var impact = given.decimal("minImpact");
    return new ItemFilter(
        given.optional("platform"),
        given.optional("language"),
        sentiment.isEmpty() ? null : SentimentClass.valueOf(sentiment),
        given.optional("job"),
        given.optional("q"),
        given.optional("keyword"),
        impact == 0 ? null : (Double) impact,
        given.date("from", false),
        given.date("to", true),
        duplicates.isEmpty() ? null : (Boolean) duplicates.equals("only"));
  }
}
