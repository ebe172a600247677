package io.tidemill.processor;

import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// What steps and tasks may give as their result: an event has to carry it (F08), and others have
/// to be able to read that.
final class StepResults {
  private static final int MOST_BYTES = 256 * 1024;
  private static final int MOST_LEVELS = Json.MAX_DEPTH - 20;

  private StepResults() {}

  /// The result itself, if it is not too much.
  static ObjectNode checked(ObjectNode result) throws WorkFailure {
    if (Json.isDeeperThan(MOST_LEVELS, result)) {
      throw tooLarge("the result has more than " + MOST_LEVELS + " levels");
    }
    if (Json.bytes(result).length > MOST_BYTES) {
      throw tooLarge("the result has more than " + MOST_BYTES + " bytes");
    }
    return result;
  }

  private static WorkFailure tooLarge(String why) {
    return WorkFailure.permanent("RESULT_TOO_LARGE", why);
  }
}
