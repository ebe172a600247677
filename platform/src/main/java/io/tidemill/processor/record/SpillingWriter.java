package io.tidemill.processor.record;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Holds records in memory until they are too many, and from then on in a file.
final class SpillingWriter implements RecordWriter {
  private final RecordStore store;
  private final String key;
  private final List<JsonNode> few = new ArrayList<>();
  private int size;
  private @Nullable Path file;
  private @Nullable JsonLinesWriter lines;
  private long count;
  private boolean ended;

  SpillingWriter(RecordStore store, String key) {
    this.store = store;
    this.key = key;
  }

  @Override
  public void write(JsonNode record) throws IOException {
    if (ended) throw new IllegalStateException("the records are finished");
    count++;
    if (lines != null) lines.write(record);
    else hold(record);
  }

  private void hold(JsonNode record) throws IOException {
    var json = Json.bytes(record);
    size += json.length + 1;
    if (json.length > JsonRecords.MAX_RECORD) throw JsonLinesWriter.tooLarge(count);
    // A copy: the caller may still change its record.
    few.add(Json.parse(json));
    if (size > RecordStore.MAX_INLINE) spill();
  }

  private void spill() throws IOException {
    var path = store.file();
    file = path;
    var open = JsonLinesWriter.gzip(path);
    lines = open;
    for (var record : few) open.write(record);
    few.clear();
  }

  @Override
  public Records finish() throws IOException {
    if (ended) throw new IllegalStateException("the records are finished");
    try (this) {
      if (lines != null) lines.close();
      return file == null ? new InlineRecords(few) : store.store(key, file, count);
    }
  }

  @Override
  public void close() throws IOException {
    if (ended) return;
    ended = true;
    try {
      if (lines != null) lines.close();
    } finally {
      if (file != null) Files.deleteIfExists(file);
    }
  }
}
