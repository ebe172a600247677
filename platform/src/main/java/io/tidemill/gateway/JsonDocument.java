package io.tidemill.gateway;

import io.tidemill.http.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A JSON document that comes with the product, with its version in it.
final class JsonDocument {
  private JsonDocument() {}

  static Response answer(String name, String version) {
    try (var in = JsonDocument.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("no resource " + name);
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      var bytes =
          text.replace("\"VERSION\"", "\"" + version + "\"").getBytes(StandardCharsets.UTF_8);
      return new Response.Body(200, "application/json", bytes, Map.of());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
