package io.tidemill.kafka.consumer;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// Tracks which offsets of one partition are finished, and up to where without a gap (F02).
///
/// Only unfinished offsets are stored, so the size does not depend on how far other records have
/// run ahead of a slow one.
final class FinishedOffsets {
  private final SequencedSet<Long> unfinished = new LinkedHashSet<>();
  private final CommitMetadata before;
  private long next;

  /// @param before the progress of an earlier owner
  FinishedOffsets(CommitMetadata before) {
    this.before = before;
    next = before.from();
  }

  /// Whether an earlier owner finished this one ahead of its commit.
  boolean isFinishedBefore(long offset) {
    return before.isFinished(offset);
  }

  /// Adds an unfinished offset; offsets arrive in ascending order.
  void take(long offset) {
    unfinished.add(offset);
    next = offset + 1;
  }

  /// Every offset below was added, or will never be delivered.
  void reached(long position) {
    next = Math.max(next, position);
  }

  void finish(long offset) {
    unfinished.remove(offset);
  }

  /// All offsets below are finished; -1 while nothing is known.
  long committable() {
    return unfinished.isEmpty() ? next : unfinished.getFirst();
  }

  /// The next offset to be read.
  long next() {
    return next;
  }

  int size() {
    return unfinished.size();
  }

  /// The progress that is committed for the next owner.
  CommitMetadata progress() {
    List<Long> open = new ArrayList<>(unfinished);
    before.open().stream().filter(offset -> offset >= next).forEach(open::add);
    return new CommitMetadata(committable(), Math.max(next, before.to()), open);
  }
}
