package io.tidemill.gateway;

import io.tidemill.http.Response;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One place where things end up that could not be worked off.
public interface DeadSource {
  /// Some of them.
  ///
  /// @param next what gets the page after this one; null when there is none
  record Page(List<ObjectNode> dead, long total, @Nullable String next) {
    public Page {
      dead = List.copyOf(dead);
    }
  }

  /// The newest first.
  ///
  /// @param before the `next` of the page before; null for the first
  Page list(int limit, @Nullable String before);

  /// How many wait for somebody to send them on their way again; cheaper than a list.
  long waiting();

  /// One of them, whole; empty when it is not here.
  Optional<ObjectNode> find(String id);

  /// Sends one on its way again; empty when it is not here.
  ///
  /// @param again even if that was done before
  Optional<Response> redrive(String id, boolean again);
}
