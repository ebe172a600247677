package io.tidemill.processor.record;

import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import io.tidemill.json.Json;
import io.tidemill.json.NumberRange;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A few records in memory; every reader gets its own copies.
public record InlineRecords(List<JsonNode> list) implements Records {
  /// No record at all.
  public static final InlineRecords NONE = new InlineRecords(List.of());

  public InlineRecords {
    list = List.copyOf(list);
  }

  /// As bytes of compact JSON.
  long size() {
    var size = 0L;
    for (var record : list) size += Json.bytes(record).length + 1;
    return size;
  }

  @Override
  public RecordReader open() {
    var records = list.iterator();
    return new RecordReader() {
      private long count;

      @Override
      public @Nullable JsonNode next() throws RecordsException {
        if (!records.hasNext()) return null;
        var record = records.next();
        count++;
        var fault = NumberRange.fault("", record);
        if (fault.isPresent()) throw new RecordsException("record " + count + ": " + fault.get());
        return record.deepCopy();
      }

      @Override
      public void close() {}
    };
  }
}
