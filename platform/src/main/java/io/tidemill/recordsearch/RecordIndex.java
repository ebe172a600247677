package io.tidemill.recordsearch;

import io.tidemill.lucene.SearchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Everything that can be found, in a folder of its own: written by one thread, searched by many.
///
/// It has at most so many things; the oldest are forgotten. What its writer knows of its sources is
/// a part of each commit: whoever goes on after a crash reads the last few again.
///
/// Every method may throw [SearchException].
public final class RecordIndex implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RecordIndex.class);

  // So much more than must be is forgotten at once: it is not worth a search for each.
  private static final int SLACK = 50;

  private final int keep;
  private final RecordIndexFolder folder;
  private final IndexWriter writer;
  private final RecordSearcher things;
  private boolean changed;

  /// Opens it, or makes an empty one; what is damaged is dropped, for it is only a copy.
  ///
  /// @param keep most things
  /// @param anew whether what is there is dropped in any case
  /// @throws SearchException when another process writes there, or the folder can't be used
  public RecordIndex(Path dir, int keep, boolean anew) {
    this.keep = keep;
    folder = RecordIndexFolder.open(dir, anew);
    writer = folder.writer();
    try {
      things = new RecordSearcher(folder);
    } catch (IOException failed) {
      folder.close();
      throw folder.failed("can't be opened", failed);
    }
  }

  /// What [#commit] noted the last time before this index was opened.
  public Map<String, String> marks(String prefix) {
    var some = new HashMap<String, String>();
    folder
        .marks()
        .forEach((name, value) -> {
          if (name.startsWith(prefix)) some.put(name.substring(prefix.length()), value);
        });
    return some;
  }

  /// Puts a thing in the place of what there is of it.
  public void put(IndexedRecord thing) {
    writing(() -> {
      writer.updateDocument(
          RecordFields.key(thing.kind(), thing.id()), RecordFields.document(thing));
    });
  }

  public void remove(String kind, String id) {
    writing(() -> writer.deleteDocuments(RecordFields.key(kind, id)));
  }

  /// Forgets those whose time is over.
  public void expire(long now) {
    var over = LongPoint.newRangeQuery(RecordFields.UNTIL, 1, now);
    if (things.count(over) > 0) writing(() -> writer.deleteDocuments(over));
  }

  /// Whether something was put or removed since the last commit.
  public boolean isChanged() {
    return changed;
  }

  /// Makes everything so far durable and visible, together with these notes.
  public void commit(Map<String, String> notes) {
    things.refresh();
    writing(() -> {
      trim();
      writer.setLiveCommitData(notes.entrySet());
      writer.commit();
    });
    things.refresh();
    changed = false;
  }

  private void trim() throws IOException {
    var over = things.size() - keep;
    if (over <= 0) return;
    var most = (int) Math.min(over + keep / SLACK, Integer.MAX_VALUE / 2);
    for (var key : things.oldest(most)) writer.deleteDocuments(new Term(RecordFields.KEY, key));
  }

  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  private void writing(Change change) {
    try {
      change.make();
      changed = true;
    } catch (IOException | RuntimeException failed) {
      throw folder.failed("was not written", failed);
    }
  }

  /// How many things can be found.
  public long size() {
    return things.size();
  }

  /// Finds things.
  ///
  /// @param text an id, its beginning, or words; empty for everything
  /// @param kind empty for all
  public RecordSearchResult search(String text, String kind, int limit) {
    return things.search(text, kind, limit);
  }

  /// A thing as it was put, a moment ago too.
  public Optional<IndexedRecord> find(String kind, String id) {
    return things.find(kind, id);
  }

  /// The ids of those with this status.
  public List<String> withStatus(String kind, String status) {
    return things.ids(kind, new Term(RecordFields.STATUS, IndexedRecord.cut(status, 100)));
  }

  /// The ids of those that lie there.
  public List<String> ofSource(String kind, String source) {
    return things.ids(kind, new Term(RecordFields.SOURCE, source));
  }

  /// Drops what was not committed.
  @Override
  public void close() {
    try (folder) {
      things.close();
    } catch (IOException failed) {
      log.debug("the index did not close cleanly: {}", failed.toString());
    }
  }
}
