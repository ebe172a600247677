package io.tidemill.processor.mail;

import io.tidemill.api.RecordReader;
import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.api.StepCall;
import io.tidemill.api.TaskCall;
import io.tidemill.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tasks and steps as the engine would call them.
final class Calls {
  static final Instant CREATED = Instant.parse("2026-01-04T01:10:00Z");

  private Calls() {}

  static SmtpConfig smtp(String url) {
    return new SmtpConfig(url, "Tidemill <robot@mill.example>", Duration.ofSeconds(5));
  }

  static TaskCall task(String id, int retryCount, String data) {
    return new Task(id, (ObjectNode) Json.parse(data), retryCount, CREATED);
  }

  static StepCall step(String options, int records) {
    return step("wf-1", options, records);
  }

  static StepCall step(String workflowId, String options, int records) {
    return new Step(workflowId, (ObjectNode) Json.parse(options), records, 0, 0);
  }

  static StepCall repeated(String options, int records, int failures) {
    return new Step("wf-1", (ObjectNode) Json.parse(options), records, failures, 0);
  }

  static StepCall again(String options, int records, int life) {
    return new Step("wf-1", (ObjectNode) Json.parse(options), records, 0, life);
  }

  private record Task(String id, ObjectNode data, int retryCount, Instant createdAt)
      implements TaskCall {
    @Override
    public void progress(double fraction, String message) {}
  }

  private record Step(String workflowId, ObjectNode options, int records, int failures, int life)
      implements StepCall {
    @Override
    public String workflowName() {
      return "Nightly <b>run</b>";
    }

    @Override
    public int index() {
      return 2;
    }

    @Override
    public Instant startedAt() {
      return CREATED;
    }

    @Override
    public @Nullable ObjectNode state() {
      return null;
    }

    @Override
    public Records input() {
      return () -> new Counting(records);
    }

    @Override
    public RecordWriter output() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void progress(double fraction, String message) {}
  }

  private static final class Counting implements RecordReader {
    private int left;

    Counting(int left) {
      this.left = left;
    }

    @Override
    public @Nullable JsonNode next() {
      return left-- > 0 ? Json.object() : null;
    }

    @Override
    public void close() {}
  }
}
