package io.tidemill.processor.report;

import io.tidemill.analytics.AnalyticsException;
import io.tidemill.analytics.ItemFilter;
import io.tidemill.analytics.ProjectStore;
import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import io.tidemill.api.TaskCall;
import io.tidemill.api.TaskType;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.crawl.Email;
import io.tidemill.json.Json;
import io.tidemill.lucene.SearchException;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.processor.option.KnownFields;
import io.tidemill.processor.record.FileOwner;
import io.tidemill.processor.record.InlineRecords;
import io.tidemill.redis.RedisException;
import io.tidemill.s3.S3Exception;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes a report as a web page and as a PDF (C2.9): `report_generation`.
public record ReportTask(
    ReportStore store,
    CrawlReportData crawls,
    Source source,
    ProjectStore projects,
    InstantSource clock)
    implements TaskType {
  /// Finds the records that a task's `input` names.
  public interface Source {
    Records find(JsonNode input) throws Exception;
  }

  private static final KnownFields FIELDS =
      new KnownFields(
          "INVALID_DATA",
          "report_generation: field",
          Set.of(
              "report", "title", "crawl", "email", "project", "records", "input", "period",
              "charts"));

  @Override
  public String name() {
    return "report_generation";
  }

  @Override
  public ObjectNode run(TaskCall call) throws Exception {
    FIELDS.check(call.data());
    try {
      call.progress(0.1, "gathering");
      var report = Traces.part(SpanKind.DB, "gather report", () -> report(call.data()));
      call.progress(0.5, "writing");
      return keep(FileOwner.task(call.id()), report);
    } catch (RedisException | SearchException | AnalyticsException failed) {
      throw WorkFailure.passing("STORE_ERROR", String.valueOf(failed.getMessage()), failed);
    } catch (S3Exception failed) {
      var message = String.valueOf(failed.getMessage());
      throw failed.isTransient()
          ? WorkFailure.passing("STORE_ERROR", message, failed)
          : WorkFailure.permanent("STORE_REFUSED", message, failed);
    }
  }

  private ObjectNode keep(FileOwner owner, ReportContent report) throws Exception {
    var html = ReportPage.html(report);
    var pdf = Traces.part(SpanKind.TASK, "print report", () -> ReportPdf.print(html));
    if (Thread.interrupted()) throw new InterruptedException("told to stop before keeping it");
    var page =
        store.keep(
            owner, ".html", html.getBytes(StandardCharsets.UTF_8), "text/html; charset=utf-8");
    var print = store.keep(owner, ".pdf", pdf.bytes(), "application/pdf");
    return Json.object()
        .put("html", page.address())
        .put("pdf", print.address())
        .put("htmlUrl", page.url())
        .put("pdfUrl", print.url())
        .put("pages", pdf.pages());
  }

  private ReportContent report(ObjectNode data) throws Exception {
    var title = text(data, "title");
    return switch (kind(data)) {
      case "crawl" -> crawl(data, title);
      case "overview" -> OverviewReport.of(crawls.overview(email(data)), title, clock.instant());
      case "analytics" ->
          data.has("project") ? project(text(data, "project"), title) : records(data, title);
      case "records" -> records(data, title);
      default -> throw invalid("report must be crawl, overview, analytics or records");
    };
  }

  // Without `report`, the other fields decide.
  private static String kind(ObjectNode data) throws WorkFailure {
    var given = text(data, "report");
    var hasCrawl = !text(data, "crawl").isEmpty();
    if (given.equals("crawl")) return hasCrawl ? "crawl" : "overview";
    if (!given.isEmpty()) return given;
    if (hasCrawl) return "crawl";
    if (data.has("project")) return "analytics";
    return data.has("records") || data.has("input") ? "records" : "overview";
  }

  private ReportContent crawl(ObjectNode data, String title) throws WorkFailure {
    var id = text(data, "crawl");
    var crawl = crawls.crawl(id, email(data));
    if (crawl.isEmpty()) {
      throw WorkFailure.permanent("CRAWL_NOT_FOUND", "there is no crawl with this id");
    }
    return CrawlReport.of(crawl.get(), title, clock.instant());
  }

  private static String email(ObjectNode data) throws WorkFailure {
    var given = text(data, "email");
    try {
      return given.isEmpty() ? "" : Email.parse(given).text();
    } catch (IllegalArgumentException wrong) {
      throw WorkFailure.permanent("INVALID_DATA", String.valueOf(wrong.getMessage()), wrong);
    }
  }

  private ReportContent project(String name, String title) throws WorkFailure {
    var shape = new ProjectStore.Shape(ProjectStore.Interval.DAY, 12, 25);
    var found = projects.overview(name, ItemFilter.ALL, shape);
    if (found.isEmpty()) {
      throw WorkFailure.permanent(
          "PROJECT_NOT_FOUND", "nothing was collected for a project of this name");
    }
    return ProjectReport.of(name, found.get(), title, clock.instant());
  }

  private ReportContent records(ObjectNode data, String title) throws Exception {
    var charts = RequestedChart.read(data.path("charts"));
    try (var reader = reader(data)) {
      return RecordsReport.of(reader, charts, title, text(data, "period"), clock.instant());
    }
  }

  private RecordReader reader(ObjectNode data) throws Exception {
    var rows = data.get("records");
    if (rows instanceof ArrayNode list)
      return new InlineRecords(list.valueStream().toList()).open();
    if (rows != null && !rows.isNull()) throw invalid("records must be a list of objects");
    var input = data.get("input");
    if (input == null || input.isNull()) {
      throw invalid("records is missing: give a list of objects, or input");
    }
    return source.find(input).open();
  }

  private static String text(ObjectNode data, String field) throws WorkFailure {
    var given = data.get(field);
    if (given == null || given.isNull()) return "";
    if (!given.isString()) throw invalid(field + " must be a string");
    return given.stringValue();
  }

  private static WorkFailure invalid(String message) {
    return WorkFailure.permanent("INVALID_DATA", message);
  }
}
