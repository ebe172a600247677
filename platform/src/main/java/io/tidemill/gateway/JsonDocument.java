package io.tidemill.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// A JSON document that comes with the product, with its version in it.
final class JsonDocument {
  private JsonDocument() {}

  static byte[] bytes(String name, String version) {
    try (var in = JsonDocument.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("no resource " + name);
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.replace("\"VERSION\"", "\"" + version + "\"").getBytes(StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
