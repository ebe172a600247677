package io.tidemill.api;

import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A named tool that `tool` jobs can call. Found by `ServiceLoader`, like a [JobHandler].
public interface Tool {
  /// The name that a payload calls it by.
  String name();

  /// What it does, in a sentence or two that people and language models can choose by.
  default String description() {
    return "";
  }

  /// The JSON Schema (2020-12) of its arguments, with `"type": "object"`: whatever does not fit is
  /// refused before the call.
  default ObjectNode schema() {
    return Json.object().put("type", "object");
  }

  /// Whether it only looks, so that those may call it who may change nothing: viewers, and
  /// everybody where `api.read-only` is set.
  default boolean isReadOnly() {
    return false;
  }

  /// Does what the tool does.
  ///
  /// @param arguments an object that fits the schema
  /// @throws JobFailure when it can't, with a code that clients can rely on
  JsonNode call(JsonNode arguments, JobCall job) throws Exception;
}
