package io.tidemill.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Writes the event stream format; all methods but [#queue] flush.
public final class SseWriter {
  private final OutputStream out;
  private final boolean withIds;

  public SseWriter(OutputStream out) {
    this(out, true);
  }

  private SseWriter(OutputStream out, boolean withIds) {
    this.out = out;
    this.withIds = withIds;
  }

  /// The same stream; its events have no ids, so that a client that reconnects names none.
  public SseWriter withoutIds() {
    return new SseWriter(out, false);
  }

  /// The same stream; it ends at the first write after that time.
  SseWriter until(Instant end, InstantSource clock) {
    return new SseWriter(
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!end.isAfter(clock.instant())) throw new IOException("its time is over");
            out.write(bytes, offset, length);
          }
        },
        withIds);
  }

  /// Writes one event and sends it.
  public void event(@Nullable String id, String type, String data) throws IOException {
    queue(id, type, data);
    flush();
  }

  /// Writes one event that goes out with the next [#flush].
  public void queue(@Nullable String id, String type, String data) throws IOException {
    var text = new StringBuilder(data.length() + 64);
    if (id != null && withIds) field(text, "id", oneLine(id));
    field(text, "event", oneLine(type));
    data.lines().forEach(line -> field(text, "data", line));
    // lines() drops a last empty line, the format does not
    if (data.isEmpty() || endsLine(data)) field(text, "data", "");
    write(text.append('\n'));
  }

  /// Writes a comment, which clients ignore: it keeps proxies from closing the connection, and
  /// shows whether the client is still there.
  public void comment(String comment) throws IOException {
    write(
        new StringBuilder(":")
            .append(comment.isEmpty() ? "" : " ")
            .append(oneLine(comment))
            .append("\n\n"));
    flush();
  }

  /// Sets how long the client waits before it reconnects.
  public void retry(Duration wait) throws IOException {
    write(new StringBuilder("retry: ").append(wait.toMillis()).append("\n\n"));
    flush();
  }

  public void flush() throws IOException {
    out.flush();
  }

  private void write(StringBuilder text) throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void field(StringBuilder text, String name, String value) {
    text.append(name).append(": ").append(value).append('\n');
  }

  private static boolean endsLine(String data) {
    return data.endsWith("\n") || data.endsWith("\r");
  }

  private static String oneLine(String value) {
    if (value.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
      throw new IllegalArgumentException("a line break or NUL in an id, type or comment");
    }
    return value;
  }
}
