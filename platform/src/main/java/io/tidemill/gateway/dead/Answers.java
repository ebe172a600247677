package io.tidemill.gateway.dead;

import io.tidemill.contract.Json;
import io.tidemill.http.Problem;
import io.tidemill.http.Response;
import io.tidemill.schema.Violation;
import io.tidemill.store.redis.HandledLetters.Note;
import java.util.List;

/// What all sources say alike.
final class Answers {
  static final String REDRIVEN_AT = "redriven_at";
  static final String DISCARDED_AT = "discarded_at";

  private Answers() {}

  /// The member that tells when something was done about a letter.
  static String name(Note note) {
    return switch (note.how()) {
      case REDRIVEN -> REDRIVEN_AT;
      case DISCARDED -> DISCARDED_AT;
    };
  }

  static Response handledBefore(Note note) {
    var what =
        switch (note.how()) {
          case REDRIVEN -> "it was redriven at %s; again=true does it once more";
          case DISCARDED -> "it was discarded at %s; again=true redrives it all the same";
        };
    return Response.problem(
        Problem.of(409, what.formatted(note.at())).with(name(note), note.at().toEpochMilli()));
  }

  static Response discarded(String id) {
    return Response.ok(Json.object().put("discarded", id));
  }

  static Response gone() {
    return Response.problem(404, "it is no longer there");
  }

  static Response misfit(List<Violation> violations) {
    var first = violations.getFirst();
    var where = first.path().isEmpty() ? "" : first.path() + ": ";
    return Response.problem(
        Problem.of(422, "it does not fit its contract: " + where + first.message())
            .with("violations", Violation.encode(violations)));
  }
}
