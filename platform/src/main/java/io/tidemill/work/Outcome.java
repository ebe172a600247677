package io.tidemill.work;

import tools.jackson.databind.JsonNode;

/// How an attempt at a piece of work ended.
public sealed interface Outcome {
  /// It worked.
  record Done(JsonNode result) implements Outcome {}

  /// It can't work; trying again would not help.
  record Failed(String code, String message) implements Outcome {}

  /// It did not work this time; another attempt may.
  record Retry(String why) implements Outcome {}

  /// Somebody asked for it to stop, and it did.
  record Canceled() implements Outcome {}

  /// The process is stopping: nothing is decided, somebody else goes on.
  record Abandoned() implements Outcome {}
}
