package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.content.protocol.SseParser;
import io.tidemill.http.SseWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What is written as one event reads as that one event by the WHATWG's rules, whatever it holds.
public final class EventStreamTarget {
  private EventStreamTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) throws IOException {
    var id = data.consumeString(20);
    var type = data.consumeString(20);
    var text = data.consumeRemainingAsString();
    var bytes = new ByteArrayOutputStream();
    var out = new SseWriter(bytes);
    try {
      out.event(id, type, text);
      out.comment("heartbeat");
      out.event(null, "next", "1");
    } catch (IllegalArgumentException refused) {
      if ((id + type).chars().noneMatch(c -> c == '\r' || c == '\n' || c == 0)) throw refused;
      return;
    }
    var events = parse(bytes.toString(StandardCharsets.UTF_8));
    // Line ends of any kind are one line end to a reader; half a surrogate pair can't be sent.
    var lines = utf8(text).replace("\r\n", "\n").replace('\r', '\n');
    var expected = List.of(List.of(utf8(id), utf8(type), lines), List.of(utf8(id), "next", "1"));
    if (!events.equals(expected)) throw new AssertionError(expected + " was read as " + events);
    var ours = read(bytes.toByteArray(), (id + text).length() % bytes.size());
    // An event without a type is a "message".
    var first = type.isEmpty() ? "message" : utf8(type);
    var named = List.of(List.of(utf8(id), first, lines), List.of(utf8(id), "next", "1"));
    if (!ours.equals(named)) throw new AssertionError(named + " was read by us as " + ours);
  }

  // Our own reader, in two pieces.
  private static List<List<String>> read(byte[] stream, int cut) throws IOException {
    var events = new ArrayList<List<String>>();
    var parser =
        new SseParser(
            "", event -> events.add(List.of(event.lastEventId(), event.type(), event.data())));
    parser.feed(stream, cut);
    var rest = Arrays.copyOfRange(stream, cut, stream.length);
    parser.feed(rest, rest.length);
    return events;
  }

  private static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  // https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
  private static List<List<String>> parse(String stream) {
    var events = new ArrayList<List<String>>();
    var lastId = "";
    var type = "";
    var data = new StringBuilder();
    for (var line : stream.split("\r\n|\r|\n", -1)) {
      if (line.isEmpty()) {
        if (!data.isEmpty()) {
          data.setLength(data.length() - 1);
          events.add(List.of(lastId, type, data.toString()));
        }
        type = "";
        data.setLength(0);
        continue;
      }
      var colon = line.indexOf(':');
      var name = colon < 0 ? line : line.substring(0, colon);
      var value = colon < 0 ? "" : line.substring(colon + 1);
      if (value.startsWith(" ")) value = value.substring(1);
      switch (name) {
        case "id" -> lastId = value;
        case "event" -> type = value;
        case "data" -> data.append(value).append('\n');
        default -> {}
      }
    }
    return events;
  }
}
