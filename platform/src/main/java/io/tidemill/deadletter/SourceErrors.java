package io.tidemill.deadletter;

import io.tidemill.deadletter.HandledLetterStore.Note;
import io.tidemill.http.Problem;
import io.tidemill.http.Response;
import io.tidemill.json.Json;
import io.tidemill.schema.SchemaViolation;
import java.util.List;

/// What all sources say alike.
public final class SourceErrors {
  public static final String REDRIVEN_AT = "redriven_at";
  public static final String DISCARDED_AT = "discarded_at";

  private SourceErrors() {}

  /// The member that tells when something was done about a letter.
  static String name(Note note) {
    return switch (note.how()) {
      case REDRIVEN -> REDRIVEN_AT;
      case DISCARDED -> DISCARDED_AT;
    };
  }

  public static Response handledBefore(Note note) {
    var what =
        switch (note.how()) {
          case REDRIVEN -> "it was redriven at %s; again=true does it once more";
          case DISCARDED -> "it was discarded at %s; again=true redrives it all the same";
        };
    return Response.problem(
        Problem.of(409, what.formatted(note.at())).with(name(note), note.at().toEpochMilli()));
  }

  public static Response discarded(String id) {
    return Response.ok(Json.object().put("discarded", id));
  }

  public static Response gone() {
    return Response.problem(404, "it is no longer there");
  }

  public static Response misfit(List<SchemaViolation> violations) {
    var first = violations.getFirst();
    var where = first.path().isEmpty() ? "" : first.path() + ": ";
    return Response.problem(
        Problem.of(422, "it does not fit its contract: " + where + first.message())
            .with("violations", SchemaViolation.encode(violations)));
  }
}
