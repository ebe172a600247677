package io.tidemill.cli.resource;

import io.tidemill.cli.client.EventFollower;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// How one kind of thing looks to somebody who follows it: its events, and what came of it.
public interface FollowView extends EventFollower.View {
  /// Whether an event of this type is the last.
  boolean isLast(String type);

  /// Whether it ended well; empty when the type of the last event does not say.
  Optional<Boolean> success(String lastType);

  /// Where the gateway says what came of it.
  default String outcome(String path) {
    return path;
  }

  /// Prints what came of it.
  ///
  /// @param json whether a script reads along
  /// @return whether it ended well
  boolean finish(JsonNode outcome, boolean json);
}
