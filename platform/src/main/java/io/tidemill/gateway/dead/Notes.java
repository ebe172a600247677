package io.tidemill.gateway.dead;

import io.tidemill.http.Stored;
import io.tidemill.store.redis.HandledLetters;
import io.tidemill.store.redis.HandledLetters.How;
import io.tidemill.store.redis.HandledLetters.Note;
import io.tidemill.store.redis.StoreException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// What was done about the letters of one source that stay where they lie.
final class Notes {
  private static final Logger log = LoggerFactory.getLogger(Notes.class);

  private final String source;
  private final HandledLetters handled;
  private final InstantSource clock;

  Notes(String source, HandledLetters handled, InstantSource clock) {
    this.source = source;
    this.handled = handled;
    this.clock = clock;
  }

  /// By letter; those that nothing was done about are missing.
  Map<String, Note> of(List<String> letters) {
    return Stored.answer(() -> handled.of(source, letters));
  }

  Optional<Note> of(String letter) {
    return Optional.ofNullable(of(List.of(letter)).get(letter));
  }

  /// It is on its way again: that is so, noted or not.
  void redriven(String letter) {
    try {
      handled.note(source, letter, How.REDRIVEN, clock.instant());
    } catch (StoreException silent) {
      log.warn(
          "{} of {} was redriven, and that is not noted: {}", letter, source, silent.getMessage());
    }
  }

  /// The note is all that there is to being discarded.
  void discard(String letter) {
    Stored.answer(() -> {
      handled.note(source, letter, How.DISCARDED, clock.instant());
      return letter;
    });
  }

  /// The letter is gone.
  void forget(String letter) {
    try {
      handled.forget(source, letter);
    } catch (StoreException silent) {
      log.debug("a note about {} of {} stays for now: {}", letter, source, silent.getMessage());
    }
  }

  long discarded() {
    return Stored.answer(() -> handled.count(source, How.DISCARDED));
  }

  long redriven() {
    return Stored.answer(() -> handled.count(source, How.REDRIVEN));
  }

  /// Forgets those of letters that are no longer there.
  ///
  /// @param gone which of some letters those are
  void tidy(UnaryOperator<List<String>> gone) {
    Stored.answer(() -> {
      handled.tidy(source, gone);
      return source;
    });
  }

  /// Into a letter as it is shown.
  static void put(ObjectNode tree, @Nullable Note note) {
    if (note != null) tree.put(Answers.name(note), note.at().toEpochMilli());
  }
}
