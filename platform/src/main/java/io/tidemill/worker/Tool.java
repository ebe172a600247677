package io.tidemill.worker;

import tools.jackson.databind.JsonNode;

/// A named tool that `tool` jobs can call. Found by `ServiceLoader`, like a [JobHandler].
public interface Tool {
  /// The name that a payload calls it by.
  String name();

  /// Does what the tool does.
  ///
  /// @throws JobFailure when it can't, with a code that clients can rely on
  JsonNode call(JsonNode arguments, JobCall job) throws Exception;
}
