package io.tidemill.processor.input;

import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.AnalyticsException;
import io.tidemill.analytics.ItemFilter;
import io.tidemill.analytics.ItemJson;
import io.tidemill.analytics.ItemOrder;
import io.tidemill.analytics.ItemStream;
import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.processor.option.KnownFields;
import io.tidemill.sql.JsonRows;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads what a step stored for analysis, `{"analytics":{"source":"<the step's id>"}}`, or the
/// items that were collected for a project, `{"analytics":{"project":"<its name>"}}`.
public final class AnalyticsSource implements InputSource {
  private static final KnownFields FIELDS =
      new KnownFields(InputSources.INVALID, "analytics: field", Set.of("source", "project"));
  private static final int LONGEST = 500;

  private final Analytics analytics;

  public AnalyticsSource(Analytics analytics) {
    this.analytics = analytics;
  }

  @Override
  public Records records(JsonNode value, ObjectNode input) throws WorkFailure {
    if (!(value instanceof ObjectNode object)) {
      throw InputSources.invalid("analytics must be an object");
    }
    FIELDS.check(object);
    if (object.has("project")) {
      if (object.has("source"))
        throw InputSources.invalid("analytics has source and project: give one");
      return collected(InputSources.text(value.path("project"), "analytics.project", LONGEST));
    }
    var source = InputSources.text(value.path("source"), "analytics.source", LONGEST);
    try {
      if (!analytics.isKnown(source)) {
        throw WorkFailure.permanent(
            "SOURCE_NOT_FOUND", "nothing was stored for analysis as " + source);
      }
    } catch (AnalyticsException failed) {
      throw RecordFailures.of(failed);
    }
    return () -> new Rows(analytics.records(source));
  }

  private Records collected(String project) throws WorkFailure {
    var projects = analytics.projects();
    try {
      if (!projects.isKnown(project)) {
        throw WorkFailure.permanent("SOURCE_NOT_FOUND", "nothing was collected for " + project);
      }
    } catch (AnalyticsException failed) {
      throw RecordFailures.of(failed);
    }
    return () -> new Items(projects.stream(project, ItemFilter.ALL, ItemOrder.NEWEST));
  }

  private record Items(ItemStream items) implements RecordReader {
    @Override
    public @Nullable JsonNode next() {
      var item = items.next();
      return item == null ? null : ItemJson.of(item);
    }

    @Override
    public void close() {
      items.close();
    }
  }

  private record Rows(JsonRows rows) implements RecordReader {
    @Override
    public @Nullable JsonNode next() throws IOException {
      var row = rows.next();
      return row == null ? null : Json.parse(row);
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }
}
