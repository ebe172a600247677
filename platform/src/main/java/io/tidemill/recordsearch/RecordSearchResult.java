package io.tidemill.recordsearch;

import java.util.List;

/// The hits of a search.
///
/// @param hits the best first, among equals the newest; their text is a snippet
/// @param total number of matches
/// @param indexed number of records in the index
public record RecordSearchResult(List<IndexedRecord> hits, long total, long tookMs, long indexed) {
  public RecordSearchResult {
    hits = List.copyOf(hits);
  }
}
