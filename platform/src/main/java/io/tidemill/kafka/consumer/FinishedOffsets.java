package io.tidemill.kafka.consumer;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// Which offsets of one partition are finished, and how far that goes without a gap (F02).
///
/// It remembers what is not finished, so its size is that of the work in hand, however far others
/// have run ahead of one slow record.
final class FinishedOffsets {
  private final SequencedSet<Long> unfinished = new LinkedHashSet<>();
  private final CommitMetadata before;
  private long next;

  /// @param before what an earlier owner had finished
  FinishedOffsets(CommitMetadata before) {
    this.before = before;
    next = before.from();
  }

  /// Whether an earlier owner finished this one, beyond what the commit alone says.
  boolean isFinishedBefore(long offset) {
    return before.isFinished(offset);
  }

  /// Takes an offset in hand; they come in rising order.
  void take(long offset) {
    unfinished.add(offset);
    next = offset + 1;
  }

  /// Everything below this was taken in hand or will never come.
  void reached(long position) {
    next = Math.max(next, position);
  }

  void finish(long offset) {
    unfinished.remove(offset);
  }

  /// Everything below is finished; -1 while nothing is known.
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

  /// What the next owner is told.
  CommitMetadata progress() {
    List<Long> open = new ArrayList<>(unfinished);
    before.open().stream().filter(offset -> offset >= next).forEach(open::add);
    return new CommitMetadata(committable(), Math.max(next, before.to()), open);
  }
}
