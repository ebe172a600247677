package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.search.QueryParser;

/// Search queries: any text is one, and none costs more than the limit.
public final class QueryTarget {
  private QueryTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var text = data.consumeRemainingAsString();
    var clauses = QueryParser.read(text);
    if (clauses.size() > QueryParser.MAX_CLAUSES) throw new AssertionError("too many clauses");
    for (var clause : clauses) {
      for (var part : clause.parts()) {
        if (part.text().isEmpty() || part.text().length() > QueryParser.MAX_LENGTH) {
          throw new AssertionError("a part of " + part.text().length() + " characters");
        }
      }
    }
  }
}
