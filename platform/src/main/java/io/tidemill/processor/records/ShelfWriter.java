package io.tidemill.processor.records;

import io.tidemill.contract.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Holds records in memory until they are too many, and from then on in a file.
final class ShelfWriter implements RecordWriter {
  private final RecordShelf shelf;
  private final String key;
  private final List<JsonNode> few = new ArrayList<>();
  private int size;
  private @Nullable Path file;
  private @Nullable JsonLines lines;
  private long count;
  private boolean ended;

  ShelfWriter(RecordShelf shelf, String key) {
    this.shelf = shelf;
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
    if (json.length > JsonRecords.MAX_RECORD) throw JsonLines.tooLarge(count);
    // Read again, so that nobody who still holds what he wrote can change it.
    few.add(Json.parse(json));
    if (size > RecordShelf.MAX_INLINE) spill();
  }

  private void spill() throws IOException {
    var path = shelf.file();
    file = path;
    var open = JsonLines.gzip(path);
    lines = open;
    for (var record : few) open.write(record);
    few.clear();
  }

  @Override
  public Records finish() throws IOException {
    if (ended) throw new IllegalStateException("the records are finished");
    try (this) {
      if (lines != null) lines.close();
      return file == null ? new InlineRecords(few) : shelf.store(key, file, count);
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
