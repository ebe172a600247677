package io.tidemill.content.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Parses the event stream format of the WHATWG standard, in pieces of any size.
public final class SseParser {
  private static final int LARGEST_EVENT = 16 * 1024 * 1024;
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,15}");

  private final int largestEvent;
  private final Consumer<SseEvent> events;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder data = new StringBuilder();
  private boolean isFirstLine = true;
  private boolean isAfterCr;
  private String type = "";
  // The buffer becomes the id at the next empty line: half an event must not move the bookmark.
  private String idBuffer;
  private String lastEventId;
  private @Nullable Duration retry;

  /// @param lastEventId what the connection before this one ended with; empty at the first
  public SseParser(String lastEventId, Consumer<SseEvent> events) {
    this(lastEventId, LARGEST_EVENT, events);
  }

  /// @param largestEvent the most bytes of a line, and the most characters of an event's data
  public SseParser(String lastEventId, int largestEvent, Consumer<SseEvent> events) {
    this.lastEventId = lastEventId;
    this.idBuffer = lastEventId;
    this.largestEvent = largestEvent;
    this.events = events;
  }

  /// Where to go on after a cut.
  public String lastEventId() {
    return lastEventId;
  }

  /// How long the stream asks to wait before a new connection.
  public Optional<Duration> retry() {
    return Optional.ofNullable(retry);
  }

  /// Takes the next bytes. The end of the stream needs no call: an unfinished event is dropped.
  ///
  /// @throws IOException when a line or an event is larger than allowed
  public void feed(byte[] bytes, int length) throws IOException {
    for (int i = 0; i < length; i++) feed(bytes[i]);
  }

  // A line ends with CR, LF or CRLF; in UTF-8 neither byte is ever a part of something else.
  private void feed(byte next) throws IOException {
    var isSecondHalf = isAfterCr && next == '\n';
    isAfterCr = next == '\r';
    if (isSecondHalf) return;
    if (next == '\r' || next == '\n') {
      endLine();
    } else if (line.size() < largestEvent) {
      line.write(next);
    } else {
      throw new IOException("a line of the event stream has no end");
    }
  }

  private void endLine() throws IOException {
    var text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (isFirstLine && text.startsWith("\uFEFF")) text = text.substring(1);
    isFirstLine = false;
    if (text.isEmpty()) dispatch();
    else field(text);
  }

  private void field(String text) throws IOException {
    var colon = text.indexOf(':');
    if (colon == 0) return; // a comment
    var name = colon < 0 ? text : text.substring(0, colon);
    var value = colon < 0 ? "" : text.substring(colon + 1);
    if (value.startsWith(" ")) value = value.substring(1);
    switch (name) {
      case "event" -> type = value;
      case "data" -> data(value);
      case "id" -> {
        if (value.indexOf('\0') < 0) idBuffer = value;
      }
      case "retry" -> {
        if (DIGITS.matcher(value).matches()) retry = Duration.ofMillis(Long.parseLong(value));
      }
      default -> {} // as the standard wants
    }
  }

  private void data(String value) throws IOException {
    if (data.length() + value.length() > largestEvent) {
      throw new IOException("an event of the stream is too large");
    }
    data.append(value).append('\n');
  }

  private void dispatch() {
    lastEventId = idBuffer;
    var name = type.isEmpty() ? "message" : type;
    type = "";
    if (data.isEmpty()) return;
    var text = data.substring(0, data.length() - 1);
    data.setLength(0);
    events.accept(new SseEvent(name, text, lastEventId));
  }
}
