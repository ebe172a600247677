package io.tidemill.search.passage;

import io.tidemill.search.index.PageChangeLog;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;

/// How far the vectors are behind the pages.
///
/// @param passages that have a vector
/// @param behind changes of pages that are not in the vectors yet
public record PassageStats(long passages, long behind) {
  public static PassageStats of(DirectoryReader pages, PassageSearch passages) throws IOException {
    var state = passages.state().orElse(new PassageSearch.State(0, PassageIndex.Progress.NONE));
    return new PassageStats(state.passages(), behind(new PageChangeLog(pages), state.progress()));
  }

  /// How many changes are left to do.
  static long behind(PageChangeLog log, PassageIndex.Progress progress) throws IOException {
    var upTo = progress.upTo() > log.last() ? 0 : progress.upTo();
    return log.countAfter(upTo) + log.countUnnumbered(progress.oldUpTo());
  }
}
