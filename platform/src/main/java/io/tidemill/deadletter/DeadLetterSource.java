package io.tidemill.deadletter;

import io.tidemill.schema.SchemaViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One place where things end up that could not be processed.
public interface DeadLetterSource {
  /// How many of those that wait are looked at when they are searched or grouped.
  int MOST_SEEN = 10_000;

  /// And how many of those that somebody has handled.
  int MOST_HANDLED = 2_000;

  /// How many are read at a time for that.
  int PORTION = 500;

  /// Some of them, those that were discarded and stay among them.
  ///
  /// @param total as [#total]
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
  /// @throws InvalidCursor when that is the `next` of no page
  Page list(int limit, @Nullable String before);

  /// The same, each without what may be large, and perhaps fewer.
  default Page brief(int limit, @Nullable String before) {
    return list(limit, before);
  }

  /// As many of the newest as can be seen by the deadline, [#MOST_SEEN] at most of those that wait
  /// and [#MOST_HANDLED] of those that do not.
  ///
  /// @param deadline as of [System#nanoTime]
  default Page newest(long deadline) {
    var found = new ArrayList<ObjectNode>();
    var waiting = 0;
    var looked = 0;
    var page = brief(PORTION, null);
    while (true) {
      for (var row : page.dead()) {
        var waits = DeadLetter.State.of(row) == DeadLetter.State.WAITING;
        var isFull = waits ? waiting >= MOST_SEEN : found.size() - waiting >= MOST_HANDLED;
        if (isFull) continue;
        found.add(row);
        if (waits) waiting++;
      }
      looked += page.dead().size();
      if (page.next() == null || waiting >= MOST_SEEN || System.nanoTime() - deadline > 0) break;
      // Behind these there may be very many that nobody need look at again.
      if (looked >= MOST_SEEN && waiting >= waiting()) break;
      page = brief(PORTION, page.next());
    }
    return new Page(found, page.total(), page.next());
  }

  /// How many lie here; cheaper than a list.
  long total();

  /// How many of them were discarded, where that can't take them out.
  default long discarded() {
    return 0;
  }

  /// How many of them wait for somebody to send them on their way again.
  long waiting();

  /// One of them, whole; empty when it is not here.
  Optional<ObjectNode> find(String id);

  /// Sends one back where it came from; empty when it is not here.
  ///
  /// @param edit what it is to say instead; the dead letter stays then, as one that was redriven
  /// @param again even if that was done before
  Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again);

  /// Throws one away: it leaves its place or, where that can't be changed, is marked. Doing it
  /// again changes nothing.
  ///
  /// @return whether it was here
  boolean discard(String id);

  /// What keeps one, changed so, from fitting its contract; empty when it is not here.
  Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit);

  /// How one is sent back as it is; empty when it is not here.
  Optional<Redelivery> redelivery(String id);

  /// Forgets what was noted about dead letters that are gone.
  void tidy();
}
