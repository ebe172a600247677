package io.tidemill.search.passage;

import io.tidemill.search.PageDocument;
import io.tidemill.search.index.PageChangeLog;

/// A passage near a question.
///
/// @param id of the page
/// @param hash of the page's title and text when the passage was taken from it
/// @param similarity 1 = the same meaning, 0 = unrelated
public record NearPassage(String id, String hash, int start, int end, float similarity) {
  /// The text of the passage; empty when the page has changed since.
  public String text(PageDocument page) {
    var fits = end <= page.main().length() && hash.equals(PageChangeLog.Text.hash(page));
    return fits ? page.main().substring(start, end) : "";
  }
}
