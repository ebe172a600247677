package io.tidemill.work;

import tools.jackson.databind.JsonNode;

/// The result of one attempt at a piece of work.
public sealed interface Outcome {
  /// It succeeded.
  record Done(JsonNode result) implements Outcome {}

  /// It failed, and another attempt would fail as well.
  record Failed(String code, String message) implements Outcome {}

  /// It failed this time; another attempt may succeed.
  record Retry(String why) implements Outcome {}

  /// A store that it needs was away; another attempt follows, and this one does not count.
  record Deferred(String why) implements Outcome {}

  /// A client canceled it.
  record Canceled() implements Outcome {}

  /// The process stops or lost its lease: another process continues, and this attempt does not
  /// count.
  record Abandoned() implements Outcome {}

  /// The delivery can't be processed at all: the work fails, and the message is a dead letter.
  record Dead(String code, String message) implements Outcome {}
}
