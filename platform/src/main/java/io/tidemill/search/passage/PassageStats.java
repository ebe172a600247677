package io.tidemill.search.passage;

import io.tidemill.search.index.PageChangeLog;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;

/// The state of the vectors.
///
/// @param passages that have a vector
/// @param behind changes of pages that are still to be processed
public record PassageStats(long passages, long behind) {
  public static PassageStats of(DirectoryReader pages, PassageSearch passages) throws IOException {
    var state = passages.state().orElse(new PassageSearch.State(0, PassageIndex.Progress.NONE));
    return new PassageStats(state.passages(), behind(new PageChangeLog(pages), state.progress()));
  }

  static long behind(PageChangeLog log, PassageIndex.Progress progress) throws IOException {
    var upTo = progress.upTo() > log.last() ? 0 : progress.upTo();
    return log.countAfter(upTo) + log.countUnnumbered(progress.oldUpTo());
  }
}
