package io.tidemill.processor.record;

import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The records of several places one after the other, each changed on the way; one place is open at
/// a time.
public record JoinedRecords(List<? extends Records> parts, UnaryOperator<JsonNode> change)
    implements Records {
  public JoinedRecords {
    parts = List.copyOf(parts);
  }

  @Override
  public RecordReader open() {
    return new Reader();
  }

  private final class Reader implements RecordReader {
    private final java.util.Iterator<? extends Records> left = parts.iterator();
    private @Nullable RecordReader current;

    @Override
    public @Nullable JsonNode next() throws IOException {
      while (current != null || left.hasNext()) {
        if (current == null) current = left.next().open();
        var record = current.next();
        if (record != null) return change.apply(record);
        close();
      }
      return null;
    }

    @Override
    public void close() throws IOException {
      var open = current;
      current = null;
      if (open != null) open.close();
    }
  }
}
