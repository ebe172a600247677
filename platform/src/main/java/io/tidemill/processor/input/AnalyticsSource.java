package io.tidemill.processor.input;

import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.AnalyticsException;
import io.tidemill.analytics.ItemFilter;
import io.tidemill.analytics.ItemJson;
import io.tidemill.analytics.ItemOrder;
import io.tidemill.analytics.QueryRows;
import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.processor.option.KnownFields;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads what a step stored for analysis, `{"analytics":{"source":"<the step's id>"}}`, or the
/// items that were collected for a project, `{"analytics":{"project":"<its name>"}}`.
public record AnalyticsSource(Analytics analytics) implements InputSource {
  private static final KnownFields FIELDS =
      new KnownFields(InputSources.INVALID, "analytics: field", Set.of("source", "project"));
  private static final int LONGEST = 500;

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
    require(analytics::isKnown, source, "nothing was stored for analysis as ");
    return () -> new Rows<>(analytics.records(source), Json::parse);
  }

  private Records collected(String project) throws WorkFailure {
    var projects = analytics.projects();
    require(projects::isKnown, project, "nothing was collected for ");
    return () ->
        new Rows<>(projects.stream(project, ItemFilter.ALL, ItemOrder.NEWEST), ItemJson::of);
  }

  private static void require(Predicate<String> isKnown, String name, String complaint)
      throws WorkFailure {
    try {
      if (!isKnown.test(name)) throw WorkFailure.permanent("SOURCE_NOT_FOUND", complaint + name);
    } catch (AnalyticsException failed) {
      throw RecordFailures.of(failed);
    }
  }

  private record Rows<T>(QueryRows<T> rows, Function<T, JsonNode> json) implements RecordReader {
    @Override
    public @Nullable JsonNode next() {
      var row = rows.next();
      return row == null ? null : json.apply(row);
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
