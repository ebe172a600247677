package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.http.SseWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/// Events as we write them: a reader gets back what was written, and nothing else.
public final class EventStreamTarget {
  private EventStreamTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) throws IOException {
    var type = data.consumeString(20);
    var text = utf8(data.consumeRemainingAsString());
    var out = new ByteArrayOutputStream();
    try {
      new SseWriter(out).event("1-0", type, text);
    } catch (IllegalArgumentException refused) {
      return; // a type that would break its line
    }
    if (!read(out).equals(text.replace("\r\n", "\n").replace('\r', '\n'))) {
      throw new AssertionError("event reads differently");
    }
  }

  private static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  // The data of the only event, by the rules of the format.
  private static String read(ByteArrayOutputStream out) {
    var data = new ArrayList<String>();
    var events = 0;
    for (var line : out.toString(StandardCharsets.UTF_8).split("\r\n|\r|\n", -1)) {
      if (line.startsWith("data:")) data.add(line.substring(line.startsWith("data: ") ? 6 : 5));
      if (line.isEmpty() && !data.isEmpty()) events++;
      if (events > 1 && line.startsWith("data:")) throw new AssertionError("a second event");
    }
    return String.join("\n", data);
  }
}
