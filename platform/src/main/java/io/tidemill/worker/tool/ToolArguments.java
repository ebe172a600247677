package io.tidemill.worker.tool;

import io.tidemill.api.JobFailure;
import io.tidemill.contract.Decoded;
import io.tidemill.json.Json;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads arguments that fit their schema; an empty one counts as missing.
final class ToolArguments {
  private final JsonNode given;

  ToolArguments(JsonNode given) {
    this.given = given;
  }

  /// A schema of these properties and no others.
  ///
  /// @param properties JSON text
  static ObjectNode schema(String properties, String... required) {
    var schema = Json.object().put("type", "object");
    schema.set("properties", Json.parse(properties));
    if (required.length > 0) schema.set("required", Json.tree(List.of(required)));
    return schema.put("additionalProperties", false);
  }

  static JobFailure wrong(String message) {
    return new JobFailure("BAD_ARGUMENTS", message);
  }

  /// The message of a codec; BAD_ARGUMENTS when there is none.
  static <T> T decoded(Decoded<T> decoded) throws JobFailure {
    return switch (decoded) {
      case Decoded.Message(var message) -> message;
      case Decoded.Malformed(var why) -> throw wrong(why);
      case Decoded.Unreadable(var why) -> throw wrong(why);
    };
  }

  /// A text, empty when not given.
  String text(String name) {
    return given.path(name).asString("").strip();
  }

  /// A text, null when not given.
  @Nullable String optional(String name) {
    var text = text(name);
    return text.isEmpty() ? null : text;
  }

  int number(String name, int otherwise) {
    return given.path(name).asInt(otherwise);
  }

  /// A number with a fraction, 0 when not given.
  double decimal(String name) {
    return given.path(name).asDouble(0);
  }

  boolean flag(String name) {
    return given.path(name).asBoolean(false);
  }

  /// An instant: `2026-01-04`, or with time and offset.
  ///
  /// @param end whether a day stands for its end
  @Nullable Instant date(String name, boolean end) throws JobFailure {
    var text = text(name);
    if (text.isEmpty()) return null;
    try {
      if (text.length() > 10) return OffsetDateTime.parse(text).toInstant();
      var day = LocalDate.parse(text);
      return (end ? day.plusDays(1) : day).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException notADate) {
      throw wrong(name + ": expected a date such as 2026-01-04 or 2026-01-04T01:09:27Z");
    }
  }
}
