package io.tidemill.gateway.dead;

import io.tidemill.http.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One place where things end up that could not be worked off.
public interface DeadSource {
  /// How many are looked at when they are searched or grouped.
  int MOST_SEEN = 10_000;

  /// Some of them.
  ///
  /// @param next what gets the page after this one; null when there is none
  record Page(List<ObjectNode> dead, long total, @Nullable String next) {
    public Page {
      dead = List.copyOf(dead);
    }
  }

  /// What carried them: `redis`, `kafka`, `amqp`, `tasks` or `pages`.
  String carrier();

  /// The newest first.
  ///
  /// @param before the `next` of the page before; null for the first
  Page list(int limit, @Nullable String before);

  /// As many of the newest as can be seen by the deadline, [#MOST_SEEN] at most, each without what
  /// may be large.
  ///
  /// @param deadline as of [System#nanoTime]
  default Page newest(long deadline) {
    var found = new ArrayList<ObjectNode>();
    var page = list(500, null);
    found.addAll(page.dead());
    while (page.next() != null && found.size() < MOST_SEEN && System.nanoTime() < deadline) {
      page = list(Math.min(500, MOST_SEEN - found.size()), page.next());
      found.addAll(page.dead());
    }
    return new Page(found, page.total(), page.next());
  }

  /// How many there are; cheaper than a list.
  long total();

  /// How many of them wait for somebody to send them on their way again.
  long waiting();

  /// One of them, whole; empty when it is not here.
  Optional<ObjectNode> find(String id);

  /// Sends one on its way again; empty when it is not here.
  ///
  /// @param edit what it is to say instead; the letter stays then, as one that was redriven
  /// @param again even if that was done before
  Optional<Response> redrive(String id, Edit edit, boolean again);

  /// What keeps one, changed so, from fitting its contract; empty when it is not here.
  Optional<List<Violation>> check(String id, Edit edit);

  /// The way back of one, as it is; empty when it is not here.
  Optional<WayBack> wayBack(String id);
}
