package io.tidemill.processor.step;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.AnalyticsException;
import io.tidemill.api.RecordReader;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import io.tidemill.processor.export.RecordExporter;
import io.tidemill.processor.export.RecordFormat;
import io.tidemill.processor.input.RecordFailures;
import io.tidemill.processor.option.OptionReader;
import io.tidemill.processor.record.FileOwner;
import io.tidemill.processor.record.SafeName;
import io.tidemill.s3.ObjectAddress;
import io.tidemill.sql.JsonRows;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Stores records as one object, or as rows for analysis, and passes them on (C2.8).
public record StoreStep(RecordExporter exporter, Analytics analytics) implements Step {
  private static final String OBJECTS = "objects";
  private static final String ANALYTICS = "analytics";

  @Override
  public String name() {
    return "store";
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    var known = OptionReader.of(StepForms.STORE, options);
    if (isForObjects(known)) {
      var object = known.text("object");
      if (object != null) exporter.check(address(known, object));
      exportOptions(known, object == null ? "" : object);
    } else {
      table("", known);
    }
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    var options = OptionReader.of(StepForms.STORE, call.options());
    return isForObjects(options) ? object(call, options) : rows(call, options);
  }

  private static boolean isForObjects(OptionReader options) throws WorkFailure {
    return options.oneOf("to", OBJECTS, List.of(OBJECTS, ANALYTICS)).equals(OBJECTS);
  }

  private StepOutcome object(StepCall call, OptionReader options) throws Exception {
    var object = options.text("object");
    var exported =
        object == null
            ? exporter.export(FileOwner.step(call), call.input(), exportOptions(options, ""))
            : exporter.exportTo(
                FileOwner.step(call),
                address(options, object),
                call.input(),
                exportOptions(options, object));
    var count = exported.path("records").asLong();
    var result = Json.object().put("recordsStored", count);
    for (var field : List.of("object", "bytes", "format", "url")) {
      result.set(field, exported.path(field));
    }
    return new StepOutcome.Done(result, call.input(), Counts.all(count));
  }

  private static RecordExporter.ExportOptions exportOptions(OptionReader options, String object)
      throws WorkFailure {
    var format = options.text("format", ending(object));
    return new RecordExporter.ExportOptions(
        RecordFormat.of(format)
            .orElseThrow(
                () -> options.wrong("format", "must be one of ndjson, parquet, csv, xlsx")),
        name(options));
  }

  private static String ending(String object) {
    var dot = object.lastIndexOf('.');
    var ending = dot < 0 ? "" : object.substring(dot + 1);
    return RecordFormat.of(ending).isPresent() ? ending : "ndjson";
  }

  private static String name(OptionReader options) throws WorkFailure {
    var name = options.text("name", "");
    if (name.isEmpty() || name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")) return name; // F53
    throw options.wrong("name", "must be 1 to 100 letters, digits, dots, - and _");
  }

  private static ObjectAddress address(OptionReader options, String object) throws WorkFailure {
    try {
      return ObjectAddress.parse(object);
    } catch (IllegalArgumentException wrong) {
      throw options.wrong("object", "is " + wrong.getMessage());
    }
  }

  private StepOutcome rows(StepCall call, OptionReader options) throws Exception {
    var source = table(call.id(), options);
    try (var rows = new Rows(call.input().open())) {
      var count = analytics.store(source, rows);
      var result =
          Json.object().put("recordsStored", count).put("table", source).put("bytes", rows.bytes);
      return new StepOutcome.Done(result, call.input(), Counts.all(count));
    } catch (AnalyticsException failed) {
      throw RecordFailures.of(failed);
    }
  }

  private static String table(String id, OptionReader options) throws WorkFailure {
    var name = options.text("table", options.text("source", ""));
    if (name.isEmpty()) return SafeName.of(id);
    if (name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")) return name;
    throw options.wrong("table", "must be 1 to 200 letters, digits, dots, - and _");
  }

  private static final class Rows implements JsonRows {
    private final RecordReader reader;
    private long bytes;

    Rows(RecordReader reader) {
      this.reader = reader;
    }

    @Override
    public @Nullable String next() throws IOException {
      if (Thread.currentThread().isInterrupted()) throw new IOException("interrupted");
      var record = reader.next();
      if (record == null) return null;
      var json = Json.bytes(record);
      bytes += json.length;
      return new String(json, UTF_8);
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
