package io.tidemill.processor.step;

import io.tidemill.api.RecordReader;
import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A step's call over records in memory.
public final class MemoryCall implements StepCall {
  private final ObjectNode options;
  private final Records input;
  private final List<JsonNode> written = new ArrayList<>();
  private final List<String> progress = new ArrayList<>();
  private @Nullable ObjectNode state;
  private String workflowId = "wf-1";

  private MemoryCall(String options, Records input) {
    this.options = (ObjectNode) Json.parse(options);
    this.input = input;
  }

  /// @param records one JSON text each
  public static MemoryCall of(String options, String... records) {
    return new MemoryCall(options, () -> reader(Stream.of(records).map(Json::parse).iterator()));
  }

  static MemoryCall many(String options, long count, LongFunction<JsonNode> record) {
    return new MemoryCall(
        options,
        () ->
            reader(java.util.stream.LongStream.rangeClosed(1, count).mapToObj(record).iterator()));
  }

  private static RecordReader reader(java.util.Iterator<? extends JsonNode> records) {
    return new RecordReader() {
      @Override
      public @Nullable JsonNode next() {
        return records.hasNext() ? records.next() : null;
      }

      @Override
      public void close() {}
    };
  }

  MemoryCall in(String workflow) {
    workflowId = workflow;
    return this;
  }

  StepOutcome.Done done(Step step) throws Exception {
    return (StepOutcome.Done) step.run(this);
  }

  MemoryCall with(@Nullable ObjectNode state) {
    this.state = state;
    return this;
  }

  @Override
  public String workflowId() {
    return workflowId;
  }

  @Override
  public String workflowName() {
    return "a workflow";
  }

  @Override
  public int index() {
    return 0;
  }

  @Override
  public ObjectNode options() {
    return options;
  }

  @Override
  public Instant startedAt() {
    return Instant.EPOCH;
  }

  @Override
  public int failures() {
    return 0;
  }

  @Override
  public int life() {
    return 0;
  }

  @Override
  public @Nullable ObjectNode state() {
    return state;
  }

  @Override
  public Records input() {
    return input;
  }

  @Override
  public RecordWriter output() {
    written.clear();
    return new RecordWriter() {
      @Override
      public void write(JsonNode record) {
        written.add(record);
      }

      @Override
      public Records finish() {
        return () -> reader(List.copyOf(written).iterator());
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void progress(double fraction, String message) {
    if (!(fraction >= 0 && fraction <= 1)) throw new AssertionError("progress " + fraction);
    progress.add(message);
  }

  /// What was said about progress.
  List<String> told() {
    return progress;
  }

  /// What was written, as texts.
  List<String> written() {
    return written.stream().map(Json::text).toList();
  }

  /// All that records hold, as texts.
  static List<String> texts(Records records) throws Exception {
    var all = new ArrayList<String>();
    try (var reader = records.open()) {
      for (var it = reader.next(); it != null; it = reader.next()) all.add(Json.text(it));
    }
    return all;
  }
}
