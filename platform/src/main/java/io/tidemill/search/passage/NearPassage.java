package io.tidemill.search.passage;

import io.tidemill.search.PageDocument;
import io.tidemill.search.index.PageChangeLog;

/// A passage that means something like what was asked.
///
/// @param id the page's
/// @param hash of the page's title and text when the passage was taken from it
/// @param similarity 1 = means the same, 0 = has nothing to do with it
public record NearPassage(String id, String hash, int start, int end, float similarity) {
  /// The passage itself; empty when the page has another text by now.
  public String text(PageDocument page) {
    var fits = end <= page.main().length() && hash.equals(PageChangeLog.Text.hash(page));
    return fits ? page.main().substring(start, end) : "";
  }
}
