package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.json.Json;
import io.tidemill.processor.record.JsonRecords;
import io.tidemill.processor.record.RecordsException;
import io.tidemill.s3.ObjectAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/// Files of records and their addresses: all bytes are records or a fault that has a name.
public final class JsonRecordsTarget {
  private JsonRecordsTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) throws IOException {
    address("s3://bucket/" + data.consumeString(40));
    try (var reader = JsonRecords.open(new ByteArrayInputStream(data.consumeRemainingAsBytes()))) {
      for (var it = reader.next(); it != null; it = reader.next()) Json.parse(Json.text(it));
    } catch (RecordsException expected) {
      if (expected.getMessage() == null) throw new AssertionError("no message", expected);
    }
  }

  private static void address(String text) {
    try {
      var key = ObjectAddress.parse(text).key();
      if (("/" + key + "/").contains("/../")) throw new AssertionError(text);
    } catch (IllegalArgumentException expected) {
      if (expected.getMessage() == null) throw new AssertionError("no message", expected);
    }
  }
}
