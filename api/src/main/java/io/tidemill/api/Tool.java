package io.tidemill.api;

import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A named tool that `tool` jobs can call. Found by `ServiceLoader`, like a [JobHandler].
public interface Tool {
  /// The name in a payload.
  String name();

  /// What it does, in a sentence or two for people and language models.
  default String description() {
    return "";
  }

  /// The JSON Schema (2020-12) of its arguments, with `"type": "object"`: invalid arguments are
  /// refused before the call.
  default ObjectNode schema() {
    return Json.object().put("type", "object");
  }

  /// Whether it changes nothing, so that viewers may call it, also where `api.read-only` is set.
  default boolean isReadOnly() {
    return false;
  }

  /// @param arguments valid by the schema
  /// @throws JobFailure when it can't, with a code that clients can rely on
  JsonNode call(JsonNode arguments, JobCall job) throws Exception;
}
