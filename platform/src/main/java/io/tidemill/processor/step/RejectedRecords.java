package io.tidemill.processor.step;

import io.tidemill.api.StepCall;
import io.tidemill.json.Json;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The records that a step rejects, with the reasons: a sample in the step's result, and all of
/// them as an object when the sample is not complete.
final class RejectedRecords implements Closeable {
  private static final int MOST = 100;
  private static final int LARGEST = 512;
  private static final int ROOM = 40 * 1024;

  /// Opens a file for writing; tests simulate a full disk.
  interface Opening {
    OutputStream open(Path file) throws IOException;
  }

  private final StepCall call;
  private final RejectStore store;
  private final Opening opening;
  private final ArrayNode sample = Json.object().putArray("sample");
  private @Nullable Path file;
  private @Nullable OutputStream out;
  private long count;
  private int size;
  private boolean isWhole = true;

  RejectedRecords(StepCall call, RejectStore store, Opening opening) {
    this.call = call;
    this.store = store;
    this.opening = opening;
  }

  long count() {
    return count;
  }

  void add(long position, JsonNode record, List<String> reasons) throws IOException {
    count++;
    var line = Json.object().put("position", position);
    reasons.forEach(line.putArray("reasons")::add);
    line.set("record", record);
    var json = Json.bytes(line);
    lines().write(json);
    lines().write('\n');
    show(line, record, json.length);
  }

  private void show(ObjectNode line, JsonNode record, int length) {
    if (count > MOST || size > ROOM) {
      isWhole = false;
      return;
    }
    if (length > LARGEST) {
      isWhole = false;
      var text = Json.text(record);
      line.put("record", text.substring(0, Math.min(text.length(), LARGEST)) + "…");
    }
    size += Math.min(length, 2 * LARGEST);
    sample.add(line);
  }

  private OutputStream lines() throws IOException {
    var open = out;
    if (open == null) {
      file = Files.createTempFile(Files.createDirectories(store.scratch()), "rejects", ".ndjson");
      open = new BufferedOutputStream(opening.open(file));
      out = open;
    }
    return open;
  }

  /// Adds the sample, and the address of the object when the sample is not complete.
  ///
  /// @param name of the field in the result
  void addTo(ObjectNode result, String name) throws IOException {
    if (count == 0) return;
    result.set(name, sample);
    if (isWhole || file == null) return;
    lines().close();
    result.put(name + "Object", store.upload().put(call.id() + "-" + name + ".ndjson", file));
  }

  @Override
  public void close() throws IOException {
    try {
      if (out != null) out.close();
    } finally {
      if (file != null) Files.deleteIfExists(file);
    }
  }
}
