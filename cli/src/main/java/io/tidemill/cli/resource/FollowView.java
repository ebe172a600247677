package io.tidemill.cli.resource;

import io.tidemill.cli.client.EventFollower;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Prints the events and the result of one kind of resource.
public interface FollowView extends EventFollower.View {
  /// Whether an event of this type is the last.
  boolean isLast(String type);

  /// Whether it ended well; empty when the type of the last event does not say.
  Optional<Boolean> success(String lastType);

  /// The path of the result.
  default String outcome(String path) {
    return path;
  }

  /// Prints the result.
  ///
  /// @param json whether a script reads along
  /// @return whether it ended well
  boolean finish(JsonNode outcome, boolean json);
}
