package io.tidemill.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a dead letter is to say instead.
///
/// @param value null = as it was
/// @param headers all of them; null = as they were
public record DeadLetterEdit(@Nullable String value, @Nullable List<Header> headers) {
  public static final DeadLetterEdit NONE = new DeadLetterEdit(null, null);

  /// @param value text, number and so on as JSON, or bytes
  public record Header(String name, Object value) {
    /// As bytes on the wire; what is no text as its JSON.
    public byte[] bytes() {
      return switch (value) {
        case byte[] bytes -> bytes;
        case String text -> text.getBytes(UTF_8);
        default -> Json.bytes(value);
      };
    }
  }

  public boolean isNone() {
    return value == null && headers == null;
  }
}
