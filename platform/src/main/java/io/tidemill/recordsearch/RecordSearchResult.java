package io.tidemill.recordsearch;

import java.util.List;

/// What was found.
///
/// @param hits the best first, of equals the newest; their text is the part that shows why
/// @param total how many there are
/// @param tookMs how long it took
/// @param indexed how many things can be found
public record RecordSearchResult(List<IndexedRecord> hits, long total, long tookMs, long indexed) {
  public RecordSearchResult {
    hits = List.copyOf(hits);
  }
}
