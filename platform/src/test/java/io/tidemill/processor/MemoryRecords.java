package io.tidemill.processor;

import io.tidemill.api.RecordReader;
import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Records as a list: enough for tests of the engine, whose own concern they are not.
final class MemoryRecords implements StepRecords {
  private record Listed(List<JsonNode> list) implements Records {
    @Override
    public RecordReader open() {
      var rest = list.iterator();
      return new RecordReader() {
        @Override
        public @Nullable JsonNode next() {
          return rest.hasNext() ? rest.next() : null;
        }

        @Override
        public void close() {}
      };
    }
  }

  static Records of(List<JsonNode> records) {
    return new Listed(records);
  }

  @Override
  public Records input(ObjectNode input) {
    return new Listed(input.path("records").valueStream().toList());
  }

  @Override
  public RecordWriter writer(String id) {
    var list = new ArrayList<JsonNode>();
    return new RecordWriter() {
      @Override
      public void write(JsonNode record) {
        list.add(record);
      }

      @Override
      public Records finish() {
        return new Listed(list);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public ObjectNode encode(String id, Records records) throws IOException {
    var tree = Json.object();
    var array = tree.putArray("records");
    try (var reader = records.open()) {
      for (var record = reader.next(); record != null; record = reader.next()) array.add(record);
    }
    return tree;
  }

  @Override
  public Records decode(ObjectNode kept) {
    return input(kept);
  }

  @Override
  public void forget(ObjectNode kept) {}
}
