package io.tidemill.contract.collected;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One message of contract C5, in whichever of its three formats it came (C5.5).
public sealed interface Collected {
  /// The format's name in metrics and logs.
  String format();

  /// A batch lies in the object store, and the event says all about it.
  record Event(CollectedEvent event) implements Collected {
    @Override
    public String format() {
      return "event";
    }
  }

  /// A batch lies in the object store: `data_ref`, and whatever else the sender knew.
  ///
  /// @param platform in lower case; null when the message does not say
  record Legacy(
      ObjectPath object,
      @Nullable String projectId,
      @Nullable String jobId,
      @Nullable String platform)
      implements Collected {
    @Override
    public String format() {
      return "legacy";
    }
  }

  /// The posts themselves, one or several.
  record Inline(List<JsonNode> posts) implements Collected {
    public Inline {
      posts = List.copyOf(posts);
    }

    @Override
    public String format() {
      return "inline";
    }
  }
}
