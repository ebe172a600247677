package io.tidemill.deadletter;

import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.StoreRetry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// What was done about the dead letters of one source that stay where they lie.
public final class HandledNotes {
  public static final String REDRIVEN_AT = "redriven_at";
  public static final String DISCARDED_AT = "discarded_at";

  private static final Logger log = LoggerFactory.getLogger(HandledNotes.class);
  private static final int NEWEST = 100;

  private final String source;
  private final HandledDeadLetterStore handled;
  private final InstantSource clock;

  public HandledNotes(String source, HandledDeadLetterStore handled, InstantSource clock) {
    this.source = source;
    this.handled = handled;
    this.clock = clock;
  }

  /// By dead letter; those that nothing was done about are missing.
  public Map<String, Note> of(List<String> letters) {
    return StoreRetry.answer(() -> handled.of(source, letters));
  }

  public Optional<Note> of(String letter) {
    return Optional.ofNullable(of(List.of(letter)).get(letter));
  }

  /// It is on its way again: that is so, noted or not.
  public void redriven(String letter) {
    try {
      handled.note(source, letter, How.REDRIVEN, clock.instant());
    } catch (RedisException silent) {
      log.warn(
          "{} of {} was redriven, and that is not noted: {}", letter, source, silent.getMessage());
    }
  }

  /// The note is all that there is to being discarded.
  public void discard(String letter) {
    StoreRetry.answer(() -> {
      handled.note(source, letter, How.DISCARDED, clock.instant());
      return letter;
    });
  }

  /// The dead letter is gone.
  public void forget(String letter) {
    try {
      handled.forget(source, letter);
    } catch (RedisException silent) {
      log.debug("a note about {} of {} stays for now: {}", letter, source, silent.getMessage());
    }
  }

  public long discarded() {
    return StoreRetry.answer(() -> handled.count(source, How.DISCARDED));
  }

  public long redriven() {
    return StoreRetry.answer(() -> handled.count(source, How.REDRIVEN));
  }

  /// Estimates how many dead letters of a source wait. Notes of dead letters that are gone stay for
  /// a while, so the difference alone could hide new ones.
  public long waiting(DeadLetterSource source) {
    var total = source.total();
    if (total == 0) return 0;
    var noted = redriven() + discarded();
    if (noted == 0) return total;
    var newest =
        source.list(NEWEST, null).dead().stream()
            .filter(row -> DeadLetter.State.of(row) == DeadLetter.State.WAITING)
            .count();
    return Math.max(total - noted, newest);
  }

  /// Forgets the notes of dead letters that are gone.
  ///
  /// @param gone which of some dead letters those are
  public void tidy(UnaryOperator<List<String>> gone) {
    StoreRetry.answer(() -> {
      handled.tidy(source, gone);
      return source;
    });
  }

  /// The member of a dead letter as it is shown that says when something was done about it.
  public static String field(Note note) {
    return switch (note.how()) {
      case REDRIVEN -> REDRIVEN_AT;
      case DISCARDED -> DISCARDED_AT;
    };
  }

  /// Into a dead letter as it is shown.
  public static void put(ObjectNode tree, @Nullable Note note) {
    if (note != null) tree.put(field(note), note.at().toEpochMilli());
  }
}
